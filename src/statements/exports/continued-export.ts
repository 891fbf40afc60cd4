import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Rows } from "../../contract/endpoint.ts";
import type { Files } from "../../host/files.ts";
import type { Renderer } from "../../report/renderer.ts";
import { explained, explainSave } from "../../report/write-trouble.ts";
import { Day } from "../../values/day.ts";
import { Failure } from "../../values/failure.ts";
import type { Period } from "../../values/period.ts";
import { describePeriod } from "../../values/period.ts";
import { quote } from "../../values/text.ts";
import { StatementCheck } from "../check.ts";
import type { EntryShape } from "../entry.ts";
import type { Exported, ExportedFile, ExportedRow } from "./exported.ts";
import { readExported, writeExported } from "./exported.ts";
import { findChanges, KnownRows, tellChanges } from "./known-rows.ts";
import type { MarkedLines } from "./marked-lines.ts";
import { markedLines } from "./marked-lines.ts";

/** An export that a file grows by, run after run. */
export interface ContinuedExport {
  readonly accountNo: string;
  readonly shape: EntryShape;
  readonly strict: boolean;
  /** The file to continue. Its name may change with the month. */
  readonly file: string;
  /** Where it is remembered what the file holds. */
  readonly memoryPath: string;
  /** Needed for the first run only. */
  readonly startDate: Day | undefined;
  readonly endDate: Day;
  readonly today: Day;
  /** Days that were exported already and are read again. */
  readonly overlapDays: number;
  /** True forgets earlier runs, and replaces the file. */
  readonly restart: boolean;
  /** How a row becomes bytes of the file; a new one for every use. */
  renderer(): Renderer;
  read(period: Period): Promise<Rows>;
  /** Says something to a person. */
  note(line: string): Promise<void>;
}

/** What a run goes on from. */
interface Latest {
  readonly file: ExportedFile;
  readonly rows: readonly ExportedRow[];
}

/**
 * Reads what has happened since the last run and appends the rows that are new. The file is replaced as a whole by one
 * that starts with the same bytes; when nothing is new it is not touched.
 * @throws {Failure} usage: the first run needs a start | mismatch: the file or an exported row has changed, or the rows
 * do not add up and `strict` is set | unavailable | setup
 */
export async function continueExport(request: ContinuedExport, files: Files): Promise<void> {
  const known = request.restart ? undefined : await readExported(files, request.memoryPath);
  const last = known && (await findLast(request, known, files));
  if (last === undefined) await refuseForeign(request, files);
  const period = periodOf(request, last?.file);
  await request.note(`Period: ${describePeriod(period)}`);
  const rows = await request.read(period);
  const check = new StatementCheck(request.shape, period);
  const start = period.startDate.toString();
  const remembered = (last?.rows ?? []).filter(({ day }) => day >= start);

  const kept: ExportedRow[] = [];
  // Of days that are still to come nothing was read, whatever the period says.
  const over = earlier(period.endDate.toString(), request.today.toString());
  const end = later(over, last?.file.lastDay);
  const keptFrom = earliestKept(end, request.overlapDays, start);
  // Until the new file stands, the rows of the old one are remembered as far back as they were.
  const keepFrom = last === undefined || keptFrom < last.file.keptFrom ? keptFrom : last.file.keptFrom;
  const marked = new KnownRows(remembered);
  let newRows = 0;
  // An earlier run has exported what the service sends from before the period.
  const lines: MarkedLines = { ...request, since: last && start };
  let leftOut = 0;
  const leaveOut = () => void (leftOut += 1);
  for await (const row of markedLines(check.watch(rows), marked, { ...lines, leaveOut })) {
    if (row.isNew) newRows += 1;
    if (row.day >= keepFrom) kept.push(row);
  }
  // A run may end on an earlier day than the last one: of the days in between nothing was read.
  const uncrossed = marked.missing();
  const missing = uncrossed.filter(({ day }) => day <= period.endDate.toString());
  kept.push(...uncrossed.filter(({ day }) => day > period.endDate.toString()));
  if (missing.length > 0) throw await changed(request, missing, markedLines(rows, new KnownRows(remembered), lines));
  const mismatch = request.strict ? check.mismatch() : undefined;
  if (mismatch !== undefined) throw mismatch;

  // Days that are older than what was read again are still remembered, for a run that a kill undoes.
  const olderRows = (last?.rows ?? []).filter(({ day }) => day < start);
  const now = { path: resolve(request.file), lastDay: end, keptFrom };
  await request.note(check.summary());
  if (leftOut > 0) await request.note(tellLeftOut(leftOut, start));
  const continued = last?.file.path === now.path ? last.file : undefined;
  if (newRows === 0 && last !== undefined) {
    const unchanged = { ...last.file, lastDay: end, keptFrom };
    await writeExported(files, request.memoryPath, { now: unchanged, rows: kept.filter(({ day }) => day >= keptFrom) });
    const shown = continued === undefined ? last.file.path : request.file;
    return request.note(`Nothing new since the last run: ${quote(shown)} stays as it is.`);
  }
  const fresh = () => markedLines(rows, new KnownRows(remembered), lines);
  const draft = await draftOf(request, continued, fresh, files);
  try {
    const exported = { ...now, sha256: draft.sha256 };
    const steps: Exported = { now: exported, before: last?.file ?? null, rows: [...olderRows, ...kept] };
    await writeExported(files, request.memoryPath, steps);
    await draft.commit();
    await writeExported(files, request.memoryPath, { now: exported, rows: kept.filter(({ day }) => day >= keptFrom) });
  } finally {
    await draft.abandon();
  }
  const where = continued === undefined ? "in" : "appended to";
  await request.note(`${newRows} new ${newRows === 1 ? "row" : "rows"} ${where} ${quote(request.file)}.`);
}

/**
 * What the latest run that came to its end left: with a kill in between, that is what stood there before it.
 * @throws {Failure} mismatch when the file is neither
 */
async function findLast({ file }: ContinuedExport, exported: Exported, files: Files): Promise<Latest | undefined> {
  const { now, before, rows } = exported;
  const current: Latest = { file: now, rows: rows.map((row) => ({ ...row, isNew: false })) };
  const previous: Latest | undefined = before ? { file: before, rows: rows.filter(({ isNew }) => !isNew) } : undefined;
  const sha256 = await hashOf(files, file);
  const path = resolve(file);
  const found = [current, ...(previous === undefined ? [] : [previous])].find((one) => one.file.sha256 === sha256);
  if (found !== undefined) return { ...found, file: { ...found.file, path } };
  const isGone = sha256 === undefined && (await files.facts(file)) === undefined;
  // The file of another month begins; that of the last one may have been filed away.
  if (isGone && now.path !== path)
    return before === undefined || (await hashOf(files, now.path)) === now.sha256 ? current : previous;
  if (isGone && before !== undefined && before?.path !== path) return previous;
  throw new Failure("mismatch", `${quote(file)} is not as the last run left it: ${fate(isGone, now.path === path)}.`, {
    hint: "Nothing was written. Put it back, or begin anew: add --restart and --start-date.",
  });
}

function fate(isGone: boolean, isOurs: boolean): string {
  if (isGone) return "it was deleted or moved";
  return isOurs ? "it was edited since" : "it is no file of this export";
}

/** Only a file keeps what an earlier run wrote; one that stands where a first run would write is somebody's. */
async function refuseForeign({ file, restart }: ContinuedExport, files: Files): Promise<void> {
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

function periodOf(
  { startDate, endDate, overlapDays, accountNo }: ContinuedExport,
  last: ExportedFile | undefined,
): Period {
  const since = last === undefined ? undefined : Day.parse(earliestKept(last.lastDay, overlapDays, last.keptFrom));
  const start = since ?? startDate;
  if (start === undefined)
    throw new Failure("usage", `This is the first export of ${accountNo}: it needs a day to start from.`, {
      hint: `Add --start-date, for example --start-date ${endDate.firstOfMonth().toString()}. Later runs go on by themselves.`,
    });
  if (start.compare(endDate) <= 0) return { startDate: start, endDate };
  if (last !== undefined) return { startDate: start, endDate: start };
  throw new Failure("usage", `--start-date ${start.toString()} is after ${endDate.toString()}.`, {
    hint: "Start with a day that has begun.",
  });
}

/** `days` before a day, but not before the first day of which every row is remembered. */
function earliestKept(day: string, days: number, keptFrom: string): string {
  const earlier = Day.parse(day)?.addDays(-days).toString() ?? keptFrom;
  return later(earlier, keptFrom);
}

function earlier(day: string, other: string): string {
  return day < other ? day : other;
}

function later(day: string, other: string | undefined): string {
  return other === undefined || other < day ? day : other;
}

function tellLeftOut(count: number, start: string): string {
  const came = count === 1 ? "1 row came and was" : `${count} rows came and were`;
  return `${came} left out: days before ${start} were exported by earlier runs. To read them again, begin anew: --restart with --start-date.`;
}

async function changed(
  request: ContinuedExport,
  missing: readonly ExportedRow[],
  lines: AsyncIterable<ExportedRow>,
): Promise<Failure> {
  const changes = await findChanges(missing, lines);
  const count = `${changes.length} ${changes.length === 1 ? "row has" : "rows have"}`;
  return new Failure("mismatch", `${count} changed since the last run; ${quote(request.file)} is left as it is.`, {
    hint: "Ask the service about it. To take the rows as they are now, begin anew: add --restart and --start-date.",
    details: tellChanges(changes),
  });
}

/** The new file beside the old one: the old one's bytes, and the new rows. */
async function draftOf(
  request: ContinuedExport,
  continued: ExportedFile | undefined,
  lines: () => AsyncIterable<ExportedRow>,
  files: Files,
) {
  const explain = explainSave(request.file);
  const draft = await explained(() => files.draft(request.file, "kept"), explain);
  const hash = createHash("sha256");
  const write = async (bytes: Uint8Array | string) => {
    hash.update(bytes);
    await explained(() => draft.write(bytes), explain);
  };
  try {
    if (continued === undefined) await write(await request.renderer().head());
    else for await (const bytes of files.chunks(continued.path)) await write(bytes);
    for await (const { line, isNew } of lines()) if (isNew) await write(line);
  } catch (error) {
    await draft.abandon();
    throw error;
  }
  const sha256 = hash.digest("hex");
  return { sha256, commit: () => explained(() => draft.commit(), explain), abandon: () => draft.abandon() };
}

async function hashOf(files: Files, path: string): Promise<string | undefined> {
  const facts = await files.facts(path);
  if (facts?.kind !== "file" && facts?.kind !== "link") return undefined;
  const hash = createHash("sha256");
  for await (const bytes of files.chunks(path)) hash.update(bytes);
  return hash.digest("hex");
}
