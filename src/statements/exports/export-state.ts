import { createHash } from "node:crypto";
import type { Files } from "../../host/files/files.ts";
import { explained, explainState } from "../../report/write-failures.ts";
import { Failure } from "../../values/failure.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { textLines } from "../../values/text/text-lines.ts";
import { Day } from "../../values/time/day.ts";
import type { EarlierState } from "./earlier-state.ts";
import { earlierState, earlierVersion } from "./earlier-state.ts";

/** A row of a statement, as far as an export has to do with it. */
export interface StatementRow {
  /** `YYYY-MM-DD` of its value date; empty where it has none, or where 0.1.0 did not remember it. */
  readonly day: string;
  readonly reference: string;
  /** The bytes that it has in the file, its line end included. */
  readonly line: string;
  /** The balance after it; undefined where the service names none, or where 0.1.0 did not remember it. */
  readonly balance: Decimal | undefined;
  /** Credit less debit. */
  readonly change: Decimal | undefined;
}

/** A row that stands in an exported file, or is being added to one. */
export interface ExportedRow extends StatementRow {
  /** Undefined once it stands in its file. */
  readonly pending?: PendingRow | undefined;
}

/** Where a row is being added. */
export interface PendingRow {
  /** Which of the files. */
  readonly file: number;
  /** Its place among the rows that are added to that file. */
  readonly place: number;
}

/** An exported file as a run left it. */
export interface ExportedFile {
  /** From the root, so that it is the same file wherever the next run starts. */
  readonly path: string;
  readonly sha256: string;
  /** While it is being replaced. */
  readonly replaces?: Replaced | undefined;
}

/** What stands where a file is to be. */
export interface Replaced {
  /** Null where nothing does. */
  readonly sha256: string | null;
  /** True where its bytes stay, and rows are added to them. */
  readonly isKept: boolean;
}

/**
 * What is remembered of an export between its runs. It is written before files take their place, with the rows that
 * they are to get, so that the run after a kill can give them to those that lack them.
 */
export interface ExportState {
  /** The first day of the first run: further back nothing is read. */
  readonly startDate: string;
  /** The day of the last row whose day had come when it was exported; undefined without one. */
  readonly lastDay: string | undefined;
  /** The day of the clock on which the months before it were read whole. */
  readonly monthsReadOn: string;
  /** A balance that the service gave after the first run's last row, and that does not follow from it. */
  readonly balanceNow: Decimal | undefined;
  /** The balances that it gave when it showed no row; none once it has shown one. */
  readonly openings: readonly Decimal[];
  readonly files: readonly ExportedFile[];
  /** All that were exported, each after the one from whose balance its own follows. */
  readonly rows: readonly ExportedRow[];
}

const version = 2;
const sliceRows = 1000;

/**
 * @returns undefined where this export was never made; what 0.1.0 remembered, where no later run was made
 * @throws {Failure} setup for a damaged file, one of a later version, or one that cannot be read
 */
export function readState(
  files: Pick<Files, "facts" | "chunks">,
  path: string,
): Promise<ExportState | EarlierState | undefined> {
  return explained(() => read(files, path), explainState(path));
}

async function read(files: Pick<Files, "facts" | "chunks">, path: string) {
  if ((await files.facts(path)) === undefined) return undefined;
  let head: Record<string, unknown> | undefined;
  const hash = createHash("sha256");
  const rows: unknown[] = [];
  for await (const lines of textLines(files.chunks(path))) {
    for (const line of lines) {
      const value = parse(line);
      if (head === undefined) {
        if (!isObject(value)) throw damaged(path);
        head = value;
      } else {
        rows.push(value);
        hash.update(`${line}\n`);
      }
    }
  }
  const expected = head?.["rowsSha256"];
  const isWhole = expected === hash.digest("hex") || (expected === undefined && head?.["version"] === earlierVersion);
  if (head === undefined || !isWhole) throw damaged(path);
  const state = head["version"] === earlierVersion ? earlierState(head, rows) : stateOf(head, rows);
  if (state === undefined) throw damaged(path);
  return state;
}

/**
 * Writes it whole; a kill leaves the old one.
 * @throws {Failure} setup where it cannot be written
 */
export function writeState(files: Pick<Files, "draft">, path: string, state: ExportState): Promise<void> {
  return explained(() => write(files, path, state), explainState(path));
}

async function write(files: Pick<Files, "draft">, path: string, { rows, ...state }: ExportState): Promise<void> {
  const [balanceNow, openings] = [text(state.balanceNow), state.openings.map(text)];
  const draft = await files.draft(path, 0o600);
  try {
    const hash = createHash("sha256");
    for (const lines of slicesOf(rows)) hash.update(lines);
    await draft.write(
      `${JSON.stringify({ version, ...state, balanceNow, openings, rowsSha256: hash.digest("hex") })}\n`,
    );
    for (const lines of slicesOf(rows)) await draft.write(lines);
    await draft.commit();
  } finally {
    await draft.abandon();
  }
}

/** Lines by the thousand: each of them written alone takes many times as long. */
function* slicesOf(rows: readonly ExportedRow[]): Generator<string> {
  for (let at = 0; at < rows.length; at += sliceRows)
    yield rows
      .slice(at, at + sliceRows)
      .map(lineOf)
      .join("");
}

function lineOf({ day, reference, line, balance, change, pending }: ExportedRow): string {
  const where = pending === undefined ? [] : [pending.file, pending.place];
  return `${JSON.stringify([day, reference, line, text(balance), text(change), ...where])}\n`;
}

function text(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : amount.toString();
}

function stateOf(head: Record<string, unknown>, values: readonly unknown[]): ExportState | undefined {
  const { startDate, lastDay, monthsReadOn, balanceNow, openings = [], files } = head;
  if (head["version"] !== version || !isDay(startDate) || !isDay(monthsReadOn)) return undefined;
  if (lastDay !== undefined && !isDay(lastDay)) return undefined;
  if (!Array.isArray(openings) || !Array.isArray(files) || !files.every(isFile)) return undefined;
  const rows = values.map((value) => rowOf(value, files.length));
  if (!rows.every((row) => row !== undefined)) return undefined;
  const held = openings.flatMap((opening) => amount(opening) ?? []);
  return { startDate, lastDay, monthsReadOn, balanceNow: amount(balanceNow), openings: held, files, rows };
}

function rowOf(value: unknown, files: number): ExportedRow | undefined {
  if (!Array.isArray(value)) return undefined;
  const [day, reference, line, balance, change, file, place]: unknown[] = value;
  if (typeof day !== "string" || typeof reference !== "string" || typeof line !== "string") return undefined;
  const row = { day, reference, line, balance: amount(balance), change: amount(change) };
  if (file === undefined) return row;
  if (typeof file !== "number" || typeof place !== "number" || file >= files) return undefined;
  return { ...row, pending: { file, place } };
}

function amount(value: unknown): Decimal | undefined {
  return typeof value === "string" ? Decimal.parse(value) : undefined;
}

function isFile(value: unknown): value is ExportedFile {
  if (!isObject(value)) return false;
  const { path, sha256, replaces } = value;
  return typeof path === "string" && typeof sha256 === "string" && (replaces === undefined || isReplaced(replaces));
}

function isReplaced(value: unknown): value is Replaced {
  if (!isObject(value)) return false;
  const { sha256, isKept } = value;
  return (sha256 === null || typeof sha256 === "string") && typeof isKept === "boolean";
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && Day.parse(value) !== undefined;
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
    hint: "The exported files are left as they are. Move it away and start over: --restart with --start-date.",
  });
}
