import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Files } from "../../host/files/files.ts";
import type { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import type { Exported, ExportedFile, ExportedRow } from "./export-state.ts";
import { readExported } from "./export-state.ts";

/** What a run goes on from: the file as an earlier one left it, and the rows of it that are remembered. */
export interface Latest {
  readonly file: ExportedFile;
  readonly rows: readonly ExportedRow[];
}

/** The file that is to be continued. */
export interface Continued {
  readonly file: string;
  readonly memoryPath: string;
  readonly restart: boolean;
  readonly endDate: Day;
}

/**
 * What the run goes on from; undefined where it is the first one, or begins anew.
 * @throws {Failure} mismatch: the file is not as an earlier run left it, or somebody else's | usage: it is no file, or
 * that of a month which is over | setup
 */
export async function findLatest(continued: Continued, files: Files): Promise<Latest | undefined> {
  const { memoryPath, restart } = continued;
  const known = restart ? undefined : await readExported(files, memoryPath);
  const latest = known && (await latestOf(continued, known, files));
  if (latest === undefined) await refuseForeign(continued, files);
  return latest;
}

/**
 * What the latest run that came to its end left: with a kill in between, that is what stood there before it.
 * @throws {Failure} mismatch when the file is neither | usage
 */
async function latestOf({ file, endDate }: Continued, exported: Exported, files: Files): Promise<Latest | undefined> {
  const { now, before, rows } = exported;
  const current: Latest = { file: now, rows: rows.map((row) => ({ ...row, isNew: false })) };
  const previous: Latest | undefined = before ? { file: before, rows: rows.filter(({ isNew }) => !isNew) } : undefined;
  const sha256 = await hashOf(files, file);
  const path = resolve(file);
  const found = [current, ...(previous === undefined ? [] : [previous])].find((one) => one.file.sha256 === sha256);
  if (found !== undefined) return { ...found, file: { ...found.file, path } };
  if (now.path !== path && endDate.toString() < now.lastDay) throw goesBack(endDate, now);
  const isGone = sha256 === undefined && (await files.facts(file)) === undefined;
  // The file of another month begins; that of the last one may have been filed away.
  if (isGone && now.path !== path)
    return before === undefined || (await hashOf(files, now.path)) === now.sha256 ? current : previous;
  if (isGone && before !== undefined && before?.path !== path) return previous;
  throw new Failure("mismatch", `${quote(file)} is not as the last run left it: ${fate(isGone, now.path === path)}.`, {
    hint: "Nothing was written. Put it back, or begin anew: add --restart and --start-date.",
  });
}

/** What came late is in the file of the month that found it, so earlier ones stay as they are. */
function goesBack(endDate: Day, { path, lastDay }: ExportedFile): Failure {
  const end = endDate.toString();
  return new Failure("usage", `This export has come to ${lastDay}, in ${quote(path)}; it does not go back to ${end}.`, {
    hint: `Nothing was written. Leave --end-date out to go on; for that month alone leave --since-last out: --month ${end.slice(0, 7)} --save another.csv`,
  });
}

function fate(isGone: boolean, isOurs: boolean): string {
  if (isGone) return "it was deleted or moved";
  return isOurs ? "it was edited since" : "it is no file of this export";
}

/** Only a file keeps what an earlier run wrote; one that stands where a first run would write is somebody's. */
async function refuseForeign({ file, restart }: Continued, files: Files): Promise<void> {
  const facts = await files.facts(file);
  if (facts?.kind === "other" || facts?.kind === "folder")
    throw new Failure("usage", `${quote(file)} is no file, and --since-last continues one.`, {
      hint: "Name a file with --save, for example --save 'wallet-{account}.csv'.",
    });
  if (restart || facts === undefined) return;
  throw new Failure("mismatch", `${quote(file)} is there already, and no earlier run of this export is remembered.`, {
    hint: "Nothing was written. Name another file, or replace it: add --restart and --start-date.",
  });
}

async function hashOf(files: Files, path: string): Promise<string | undefined> {
  if (!(await files.isSame(path, path))) return undefined;
  const hash = createHash("sha256");
  for await (const bytes of files.chunks(path)) hash.update(bytes);
  return hash.digest("hex");
}
