import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Rows } from "../../contract/endpoint.ts";
import type { Files } from "../../host/files/files.ts";
import type { Renderer } from "../../report/renderer.ts";
import { explained, explainSave } from "../../report/write-failures.ts";
import { counted } from "../../values/text/counted.ts";
import { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";
import type { Period } from "../../values/time/period.ts";
import { describePeriod } from "../../values/time/period.ts";
import { quote } from "../../values/text/text.ts";
import { StatementCheck } from "../check.ts";
import type { EntryShape } from "../entry.ts";
import type { ExportedFile, ExportedRow } from "./export-state.ts";
import { writeExported } from "./export-state.ts";
import { findChanges, KnownRows, tellChanges } from "./known-rows.ts";
import type { Latest } from "./latest.ts";
import { findLatest } from "./latest.ts";
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

/** What a look through the rows of a run brings to light. */
interface Found {
  /** The last day of which rows were read, here or by an earlier run. */
  readonly lastDay: string;
  /** The first day of which every row is remembered from now on. */
  readonly keptFrom: string;
  /** What is to be remembered, as far back as before until the new file stands. */
  readonly kept: readonly ExportedRow[];
  readonly newRows: number;
  readonly notes: readonly string[];
  /** The rows once more. */
  lines(): AsyncIterable<ExportedRow>;
}

/**
 * Reads what has happened since the last run and appends the rows that are new. The file is replaced as a whole by one
 * that starts with the same bytes; when nothing is new it is not touched.
 * @throws {Failure} usage: the first run needs a start | mismatch: the file or an exported row has changed, or the rows
 * do not add up and `strict` is set | unavailable | setup
 */
export async function continueExport(request: ContinuedExport, files: Files): Promise<void> {
  const latest = await findLatest(request, files);
  const period = periodOf(request, latest?.file);
  await request.note(`Period: ${describePeriod(period)}`);
  const found = await lookThrough(request, await request.read(period), period, latest);
  for (const note of found.notes) await request.note(note);
  const { lastDay, keptFrom, kept, newRows } = found;
  const remember = (now: ExportedFile) =>
    writeExported(files, request.memoryPath, { now, rows: kept.filter(({ day }) => day >= keptFrom) });
  const path = resolve(request.file);
  const continued = latest?.file.path === path ? latest.file : undefined;
  if (newRows === 0 && latest !== undefined) {
    await remember({ ...latest.file, lastDay, keptFrom });
    return request.note(nothingNew(request.file, continued === undefined ? latest.file.path : undefined));
  }
  const draft = await draftOf(request, continued, () => found.lines(), files);
  try {
    const now = { path, sha256: draft.sha256, lastDay, keptFrom };
    await writeExported(files, request.memoryPath, { now, before: latest?.file ?? null, rows: kept });
    await draft.commit();
    await remember(now);
  } finally {
    await draft.abandon();
  }
  const where = continued === undefined ? "in" : "appended to";
  await request.note(`${counted(newRows, "new row")} ${where} ${quote(request.file)}.`);
}

/** @param other what the last run wrote, where that was another file: after a month's end, or under another name */
function nothingNew(file: string, other: string | undefined): string {
  if (other === undefined) return `Nothing new since the last run: ${quote(file)} stays as it is.`;
  return `Nothing new since the last run, which wrote ${quote(other)}: ${quote(file)} is not written.`;
}

/** @throws {Failure} mismatch: an exported row has changed, or the rows do not add up and `strict` is set */
async function lookThrough(
  request: ContinuedExport,
  rows: Rows,
  period: Period,
  latest: Latest | undefined,
): Promise<Found> {
  const [start, end] = [period.startDate.toString(), period.endDate.toString()];
  // Of days that are still to come nothing was read, whatever the period says.
  const lastDay = later(earlier(end, request.today.toString()), latest?.file.lastDay);
  const keptFrom = earliestKept(lastDay, request.overlapDays, start);
  const keepFrom = earlier(keptFrom, latest?.file.keptFrom ?? keptFrom);
  const known = latest?.rows ?? [];
  const remembered = known.filter(({ day }) => day >= start);
  // Days that are older than what is read again are remembered for a run that a kill undoes.
  const kept = known.filter(({ day }) => day < start);
  // An earlier run has exported what the service sends from before the period.
  const run: MarkedLines = { ...request, since: latest && start };
  const lines = () => markedLines(rows, new KnownRows(remembered), run);

  const check = new StatementCheck(request.shape, period);
  const marked = new KnownRows(remembered);
  let [newRows, leftOut] = [0, 0];
  const leaveOut = () => void (leftOut += 1);
  for await (const row of markedLines(check.watch(rows), marked, { ...run, leaveOut })) {
    if (row.isNew) newRows += 1;
    if (row.day >= keepFrom) kept.push(row);
  }
  // A run may end on an earlier day than the last one: of the days in between nothing was read.
  const uncrossed = marked.missing();
  kept.push(...uncrossed.filter(({ day }) => day > end));
  const missing = uncrossed.filter(({ day }) => day <= end);
  if (missing.length > 0) throw await changed(request, missing, lines());
  const mismatch = request.strict ? check.mismatch() : undefined;
  if (mismatch !== undefined) throw mismatch;
  const notes = [check.summary(), ...(leftOut > 0 ? [tellLeftOut(leftOut, start)] : [])];
  return { lastDay, keptFrom, kept, newRows, notes, lines };
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
    hint: `Start with ${endDate.toString()} or an earlier day.`,
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
