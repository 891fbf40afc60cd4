import type { Files } from "../../host/files/files.ts";
import { Failure } from "../../values/failure.ts";
import { Day } from "../../values/time/day.ts";
import type { EarlierRow, EarlierState } from "./earlier-state.ts";
import { fileHash, pathsOf } from "./export-files.ts";
import type { ExportRequest } from "./export-request.ts";
import type { ExportedFile, ExportState } from "./export-state.ts";
import type { ExportRow } from "./packed-rows.ts";

/**
 * Converts the state of 0.1.0, which kept the rows of a few days and no balances; the other rows are read from the
 * files, without their days. A wrong clock may have set its last day, so the export continues after its last row.
 * @returns undefined where its first run was interrupted before it wrote anything
 * @throws {Failure} usage: neither it nor the command line says where to continue
 */
export async function convertEarlierState(
  request: ExportRequest,
  earlier: EarlierState,
  files: Files,
): Promise<ExportState | undefined> {
  const left = await lastCompleted(earlier, files);
  if (left === undefined) return undefined;
  const today = request.today.toString();
  const days = left.rows.map(({ day }) => day).filter((day) => day <= today);
  const lastDay = days.toSorted().at(-1);
  const startDate = request.startDate?.toString() ?? firstDay([left.file.keptFrom, ...days]);
  if (startDate > today)
    throw new Failure(
      "usage",
      `What an earlier version remembered of ${request.accountNo} does not say where to continue.`,
      {
        hint: "Add the --start-date of the first run. The file is left as it is, and no row is repeated.",
      },
    );
  const found = await filesOf(request, left.file, startDate, files);
  const older = await olderLines(request, found, left.rows, files);
  return {
    startDate,
    lastDay,
    monthsReadOn: today,
    balanceNow: undefined,
    openings: [],
    files: found,
    rows: [...older, ...left.rows],
    pending: new Map(),
  };
}

/** What the latest completed run left. After a kill, that is what was there before the killed run. */
async function lastCompleted({ now, before, rows }: EarlierState, files: Files) {
  const isDone = before === undefined || (await fileHash(files, now.path)) === now.sha256;
  if (isDone) return { file: now, rows: rows.map(asRow) };
  if (before === null)
    return (await files.facts(now.path)) === undefined ? undefined : { file: now, rows: rows.map(asRow) };
  return { file: before, rows: rows.filter(({ isNew }) => !isNew).map(asRow) };
}

function asRow({ day, reference, line }: EarlierRow): ExportRow {
  return { day, reference, line, balance: undefined, change: undefined };
}

/** Its latest file, and existing files with the names that earlier days give. */
async function filesOf(
  request: ExportRequest,
  { path, sha256 }: ExportedFile,
  startDate: string,
  files: Files,
): Promise<readonly ExportedFile[]> {
  const found: ExportedFile[] = [{ path, sha256 }];
  const start = Day.parse(startDate);
  if (start === undefined) return found;
  const period = { startDate: start, endDate: start.compare(request.today) < 0 ? request.today : start };
  for (const other of pathsOf(request, period)) {
    const sha = other === path ? undefined : await fileHash(files, other);
    if (sha !== undefined && sha !== sha256) found.push({ path: other, sha256: sha });
  }
  return found;
}

/** Lines of the files that are not among the remembered rows. */
async function olderLines(
  request: ExportRequest,
  found: readonly ExportedFile[],
  rows: readonly ExportRow[],
  files: Files,
): Promise<ExportRow[]> {
  const known = new Map<string, number>();
  for (const { line } of rows) known.set(line, (known.get(line) ?? 0) + 1);
  const head = await request.renderer().head();
  const older: ExportRow[] = [];
  for (const { path, sha256 } of found) {
    if ((await fileHash(files, path)) !== sha256) continue;
    for (const line of await recordsIn(path, head, request.format, files)) {
      const count = known.get(line) ?? 0;
      known.set(line, count - 1);
      if (count <= 0) older.push({ day: "", reference: "", line, balance: undefined, change: undefined });
    }
  }
  return older;
}

function firstDay(days: readonly string[]): string {
  return days.reduce((first, day) => (day < first ? day : first));
}

/**
 * The records of an exported file, one for each row, with their line ends. A line end within the quotes of CSV doesn't
 * end a record.
 * @param head what the file begins with, if it has a head
 */
export async function recordsIn(
  path: string,
  head: string,
  format: "csv" | "ndjson",
  files: Pick<Files, "chunks">,
): Promise<string[]> {
  // The byte order mark of --excel is part of the head.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for await (const bytes of files.chunks(path)) text += decoder.decode(bytes, { stream: true });
  text += decoder.decode();
  const records: string[] = [];
  let start = text.startsWith(head) ? head.length : 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"' && format === "csv") isQuoted = !isQuoted;
    if (character !== "\n" || isQuoted) continue;
    records.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return records;
}
