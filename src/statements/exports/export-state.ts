import { createHash } from "node:crypto";
import type { Files } from "../../host/files/files.ts";
import { explained, explainState } from "../../report/write-failures.ts";
import { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";
import { textLines } from "../../values/text/text-lines.ts";

/** A row that stands in the exported file. */
export interface ExportedRow {
  /** `YYYY-MM-DD` of its value date. */
  readonly day: string;
  readonly reference: string;
  /** The bytes that it has in the file, its line end included. */
  readonly line: string;
  /** False where it stood there before the latest run. */
  readonly isNew: boolean;
}

/** An exported file as a run left it. */
export interface ExportedFile {
  /** From the root, so that it is the same file wherever the next run starts. */
  readonly path: string;
  readonly sha256: string;
  /** The last day that was asked for and had begun. */
  readonly lastDay: string;
  /** The first day of which every row is remembered. */
  readonly keptFrom: string;
}

/**
 * What is remembered of an export between its runs. It is written before the file takes its place and says both how the
 * file was and how it will be, so that whatever a kill leaves is one of the two.
 */
export interface Exported {
  readonly now: ExportedFile;
  /** While the file is being replaced: what stood there; null where there was nothing of ours. */
  readonly before?: ExportedFile | null | undefined;
  readonly rows: readonly ExportedRow[];
}

const version = 1;

/**
 * @returns undefined where this export was never made
 * @throws {Failure} setup for a damaged file, one of a later version, or one that cannot be read
 */
export function readExported(files: Pick<Files, "facts" | "chunks">, path: string): Promise<Exported | undefined> {
  return explained(() => read(files, path), explainState(path));
}

async function read(files: Pick<Files, "facts" | "chunks">, path: string): Promise<Exported | undefined> {
  if ((await files.facts(path)) === undefined) return undefined;
  let exported: Head | undefined;
  const hash = createHash("sha256");
  const rows: ExportedRow[] = [];
  for await (const lines of textLines(files.chunks(path))) {
    for (const line of lines) {
      const value = parse(line);
      if (exported === undefined) exported = headOf(value, path);
      else {
        rows.push(rowOf(value, path));
        hash.update(`${line}\n`);
      }
    }
  }
  const sha256 = hash.digest("hex");
  if (exported === undefined || (exported.rowsSha256 ?? sha256) !== sha256) throw damaged(path);
  const { now, before } = exported;
  return { now, before, rows };
}

/**
 * Writes it whole; a kill leaves the old one.
 * @throws {Failure} setup where it cannot be written
 */
export function writeExported(files: Pick<Files, "draft">, path: string, exported: Exported): Promise<void> {
  return explained(() => write(files, path, exported), explainState(path));
}

async function write(files: Pick<Files, "draft">, path: string, exported: Exported): Promise<void> {
  const draft = await files.draft(path, 0o600);
  try {
    const { now, before, rows } = exported;
    const hash = createHash("sha256");
    for (const row of rows) hash.update(lineOf(row));
    const rowsSha256 = hash.digest("hex");
    await draft.write(`${JSON.stringify({ version, now, before, rowsSha256 })}\n`);
    for (const row of rows) await draft.write(lineOf(row));
    await draft.commit();
  } finally {
    await draft.abandon();
  }
}

function lineOf({ day, reference, line, isNew }: ExportedRow): string {
  return `${JSON.stringify([day, reference, line, isNew])}\n`;
}

/** The first line; those that were written before it told of the other lines have no hash of them. */
interface Head extends Omit<Exported, "rows"> {
  readonly rowsSha256: string | undefined;
}

function headOf(value: unknown, path: string): Head {
  if (!isObject(value) || value["version"] !== version || !isFile(value["now"])) throw damaged(path);
  const { now, before, rowsSha256 } = value;
  if (before !== undefined && before !== null && !isFile(before)) throw damaged(path);
  if (rowsSha256 !== undefined && typeof rowsSha256 !== "string") throw damaged(path);
  return { now, before, rowsSha256 };
}

function rowOf(value: unknown, path: string): ExportedRow {
  if (!Array.isArray(value)) throw damaged(path);
  const [day, reference, line, isNew]: unknown[] = value;
  if (typeof day !== "string" || typeof reference !== "string" || typeof line !== "string") throw damaged(path);
  return { day, reference, line, isNew: isNew === true };
}

function isFile(value: unknown): value is ExportedFile {
  return isObject(value) && ["path", "sha256"].every((name) => typeof value[name] === "string") && hasDays(value);
}

function hasDays(value: Record<string, unknown>): boolean {
  return ["lastDay", "keptFrom"].every((name) => Day.parse(String(value[name])) !== undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function damaged(path: string): Failure {
  return new Failure("setup", `What is remembered of this export is damaged, or of a later version: ${path}.`, {
    hint: "The exported file is left as it is. Move it away and begin anew: --restart with --start-date.",
  });
}
