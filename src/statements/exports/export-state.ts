import { createHash } from "node:crypto";
import type { Files } from "../../host/files/files.ts";
import { explained, explainState } from "../../report/write-failures.ts";
import { Failure } from "../../values/failure.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { textLines } from "../../values/text/text-lines.ts";
import { Day } from "../../values/time/day.ts";
import type { EarlierState } from "./earlier-state.ts";
import { earlierState, earlierVersion } from "./earlier-state.ts";
import type { ExportRow } from "./packed-rows.ts";
import { PackedRows } from "./packed-rows.ts";

/** Where a row is being added. */
export interface PendingRow {
  /** The index of the file. */
  readonly file: number;
  /** Its position among the rows that are added to that file. */
  readonly place: number;
}

/** An exported file as a run left it. */
export interface ExportedFile {
  /** Absolute, so that it is the same file wherever the next run starts. */
  readonly path: string;
  readonly sha256: string;
  /** While it is being replaced. */
  readonly replaces?: Replaced | undefined;
}

/** A file that is about to be replaced. */
export interface Replaced {
  /** Null where there is none. */
  readonly sha256: string | null;
  /** True where its bytes stay, and rows are added to them. */
  readonly isKept: boolean;
}

/**
 * The state of an export between its runs. It is written before files are replaced, with the rows that they are to get,
 * so that the run after a kill can complete the files.
 */
export interface ExportState {
  /** The first day of the first run: earlier days are never read. */
  readonly startDate: string;
  /** The day of the last row that was not in the future when it was exported; undefined without one. */
  readonly lastDay: string | undefined;
  /** The day, by the clock, on which all months before it were last read in full. */
  readonly monthsReadOn: string;
  /** A balance that the service gave after the first run's last row without following from it. */
  readonly balanceNow: Decimal | undefined;
  /** The balances that it gave while it showed no rows; none once it has shown one. */
  readonly openings: readonly Decimal[];
  readonly files: readonly ExportedFile[];
  /** All exported rows, each after the one whose balance it continues. */
  readonly rows: readonly ExportRow[];
  /** Rows that are not in their files yet; empty once all are. */
  readonly pending: ReadonlyMap<ExportRow, PendingRow>;
}

const version = 2;
const sliceRows = 1000;

/**
 * @returns undefined where this export was never made; the state of 0.1.0, where no later version has run
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
  const rows = new RowReader();
  for await (const lines of textLines(files.chunks(path))) {
    for (const line of lines) {
      const value = parse(line);
      if (head === undefined) {
        if (!isObject(value)) throw damaged(path);
        head = value;
      } else {
        rows.add(value, head["version"] === earlierVersion);
        hash.update(`${line}\n`);
      }
    }
  }
  const expected = head?.["rowsSha256"];
  const isWhole = expected === hash.digest("hex") || (expected === undefined && head?.["version"] === earlierVersion);
  if (head === undefined || !isWhole) throw damaged(path);
  const state = head["version"] === earlierVersion ? earlierState(head, rows.earlier) : stateOf(head, rows);
  if (state === undefined) throw damaged(path);
  return state;
}

/** The rows of a state, packed as they are read. */
class RowReader {
  /** As 0.1.0 wrote them. */
  readonly earlier: unknown[] = [];
  readonly rows: ExportRow[] = [];
  readonly pending = new Map<ExportRow, PendingRow>();
  readonly #packed = new PackedRows();
  isDamaged = false;

  add(value: unknown, isEarlier: boolean): void {
    if (isEarlier) this.earlier.push(value);
    else if (Array.isArray(value)) this.#take(value);
    else this.isDamaged = true;
  }

  #take([day, reference, line, balance, change, file, place]: readonly unknown[]): void {
    if (typeof day !== "string" || typeof reference !== "string" || typeof line !== "string") {
      this.isDamaged = true;
      return;
    }
    const row = this.#packed.add({ day, reference, line, balance: amount(balance), change: amount(change) });
    this.rows.push(row);
    if (typeof file === "number" && typeof place === "number") this.pending.set(row, { file, place });
    else if (file !== undefined) this.isDamaged = true;
  }
}

/**
 * Replaces the state as a whole; a kill leaves the old one.
 * @throws {Failure} setup where it cannot be written
 */
export function writeState(files: Pick<Files, "draft">, path: string, state: ExportState): Promise<void> {
  return explained(() => write(files, path, state), explainState(path));
}

async function write(files: Pick<Files, "draft">, path: string, state: ExportState): Promise<void> {
  const { rows, pending, ...rest } = state;
  const [balanceNow, openings] = [text(rest.balanceNow), rest.openings.map(text)];
  const draft = await files.draft(path, 0o600);
  try {
    const hash = createHash("sha256");
    for (const lines of slicesOf(rows, pending)) hash.update(lines);
    await draft.write(
      `${JSON.stringify({ version, ...rest, balanceNow, openings, rowsSha256: hash.digest("hex") })}\n`,
    );
    for (const lines of slicesOf(rows, pending)) await draft.write(lines);
    await draft.commit();
  } finally {
    await draft.abandon();
  }
}

/** A thousand lines at a time: writing each line alone takes many times as long. */
function* slicesOf(rows: readonly ExportRow[], pending: ExportState["pending"]): Generator<string> {
  for (let at = 0; at < rows.length; at += sliceRows)
    yield rows
      .slice(at, at + sliceRows)
      .map((row) => lineOf(row, pending.get(row)))
      .join("");
}

function lineOf({ day, reference, line, balance, change }: ExportRow, pending: PendingRow | undefined): string {
  const where = pending === undefined ? [] : [pending.file, pending.place];
  return `${JSON.stringify([day, reference, line, text(balance), text(change), ...where])}\n`;
}

function text(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : amount.toString();
}

function stateOf(head: Record<string, unknown>, { rows, pending, isDamaged }: RowReader): ExportState | undefined {
  const { startDate, lastDay, monthsReadOn, balanceNow, openings = [], files } = head;
  if (isDamaged || head["version"] !== version || !isDay(startDate) || !isDay(monthsReadOn)) return undefined;
  if (lastDay !== undefined && !isDay(lastDay)) return undefined;
  if (!Array.isArray(openings) || !Array.isArray(files) || !files.every(isFile)) return undefined;
  if ([...pending.values()].some(({ file }) => file >= files.length)) return undefined;
  const held = openings.flatMap((opening) => amount(opening) ?? []);
  return { startDate, lastDay, monthsReadOn, balanceNow: amount(balanceNow), openings: held, files, rows, pending };
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
