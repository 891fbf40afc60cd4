import type { Decimal } from "../../../values/money/decimal.ts";
import { whyAnotherRow } from "./another-row.ts";
import { joinEntries, joinRows } from "../matching/parts.ts";
import type { RowStores } from "../matching/sides.ts";
import { pair, sumOf } from "../matching/sides.ts";
import type { Remarks } from "../remarks.ts";
import type { RowStore } from "../rows/row-store.ts";

/** What a person decided about a row, an entry, or one of each. */
export interface Decision {
  /** Its line in the file. */
  readonly line: number;
  /** The row's number in the statement. */
  readonly statementRow: number | undefined;
  /** The entry's line in the book. */
  readonly bookLine: number | undefined;
  readonly decision: "match" | "ignore";
  readonly by: string;
  readonly note: string;
  /** What the amounts were when it was decided, where that is known. */
  readonly statementAmount?: Decimal | undefined;
  readonly bookAmount?: Decimal | undefined;
  /** What the row was called then, and its day; empty where that is not known. */
  readonly reference: string;
  readonly date: string;
}

/** People's decisions, applied as long as they still fit. */
export class Decisions {
  readonly #all: readonly Decision[];

  constructor(all: readonly Decision[]) {
    this.#all = all;
  }

  /**
   * Applies the decisions, before any other rule decides about rows.
   * @returns what does not fit any more, in words; its rows stay as they are
   */
  apply(sides: RowStores, remarks: Remarks): readonly string[] {
    const places = { statement: linesOf(sides.statement), book: linesOf(sides.book) };
    const misfits: string[] = [];
    const found: Found[] = [];
    for (const decision of this.#all) {
      const place = placeOf(decision, places);
      const why = "why" in place ? place.why : changed(sides, decision, place);
      if (why !== undefined) misfits.push(inWords(decision, why));
      else if (!("why" in place)) found.push({ decision, ...place });
    }
    for (const group of groupsOf(found)) {
      const misfit = decide(sides, group, remarks);
      if (misfit !== undefined) misfits.push(...group.map(({ decision }) => inWords(decision, misfit)));
    }
    return misfits;
  }
}

interface Place {
  readonly row: number | undefined;
  readonly entry: number | undefined;
}

interface Found extends Place {
  readonly decision: Decision;
}

type Lines = ReadonlyMap<number, number>;

function linesOf(side: RowStore): Lines {
  const lines = new Map<number, number>();
  for (let row = 0; row < side.count; row += 1) if (side.lineOf(row) !== 0) lines.set(side.lineOf(row), row);
  return lines;
}

function placeOf(
  { statementRow, bookLine }: Decision,
  places: { readonly statement: Lines; readonly book: Lines },
): Place | { readonly why: string } {
  const row = statementRow === undefined ? undefined : places.statement.get(statementRow);
  const entry = bookLine === undefined ? undefined : places.book.get(bookLine);
  if (statementRow !== undefined && row === undefined) return { why: `the statement has no row ${statementRow}` };
  if (bookLine !== undefined && entry === undefined) return { why: `line ${bookLine} of the book is not a row` };
  return { row, entry };
}

/** What has changed since it was decided. */
function changed(sides: RowStores, decision: Decision, { row, entry }: Place): string | undefined {
  const { statement, book } = sides;
  return (
    whyAnotherRow(sides, decision, { row, entry }) ??
    changedIn(sides, "row of the statement", statement, row, decision.statementAmount) ??
    changedIn(sides, "row of the book", book, entry, decision.bookAmount)
  );
}

function changedIn(
  { codes }: RowStores,
  what: string,
  side: RowStore,
  row: number | undefined,
  was: Decimal | undefined,
): string | undefined {
  if (row === undefined || was === undefined) return undefined;
  const is = codes.amountOf(side.amountOf(row), side.scaleOf(row));
  return is.equals(was) ? undefined : `the ${what} has ${is.toString()}, and had ${was.toString()}`;
}

/**
 * Groups pairs with the same decision that share a row or an entry: several rows that make up one of the other side.
 */
function groupsOf(found: readonly Found[]): readonly (readonly Found[])[] {
  const groups: Found[][] = [];
  const known = new Map<string, Found[]>();
  for (const one of found) {
    const { row, entry, decision } = one;
    const isPair = decision.decision === "match" || (row !== undefined && entry !== undefined);
    const names = [row === undefined ? "" : `row ${row}`, entry === undefined ? "" : `entry ${entry}`]
      .filter((name) => isPair && name !== "")
      .map((name) => `${decision.decision} ${name}`);
    const group = names.map((name) => known.get(name)).find((other) => other !== undefined) ?? [];
    if (group.length === 0) groups.push(group);
    group.push(one);
    for (const name of names) known.set(name, group);
  }
  return groups;
}

/** @returns why it does not fit */
function decide(sides: RowStores, group: readonly Found[], remarks: Remarks): string | undefined {
  const { statement, book } = sides;
  const rows = [...new Set(group.flatMap(({ row }) => row ?? []))];
  const entries = [...new Set(group.flatMap(({ entry }) => entry ?? []))];
  if (rows.some((row) => !statement.isOpen(row)) || entries.some((entry) => !book.isOpen(entry)))
    return "another decision is about the same row";
  const [[row], [entry], [first]] = [rows, entries, group];
  if (first === undefined) return undefined;
  const isMatch = first.decision.decision === "match";
  if (isMatch && (row === undefined || entry === undefined))
    return "match needs a row of the statement and a line of the book";
  if (rows.length > 1 && entries.length > 1) return "several rows on both sides cannot be one";
  if (isMatch && sumOf(sides, statement, rows) !== sumOf(sides, book, entries))
    return "the amounts are not the same; ignore says that this is fine";
  const verdict = isMatch ? "matched" : "ignored";
  if (row !== undefined && entry !== undefined) {
    if (rows.length > 1) joinRows(sides, rows, entry, verdict);
    else if (entries.length > 1) joinEntries(sides, row, entries, verdict);
    else pair(sides, row, entry, verdict);
  } else if (row !== undefined) statement.decide(row, "ignored");
  else if (entry !== undefined) book.decide(entry, "ignored");
  for (const { decision } of group) remark(decision, remarks, row, entry);
  return undefined;
}

function remark(
  { decision, by, note }: Decision,
  remarks: Remarks,
  row: number | undefined,
  entry: number | undefined,
): void {
  const who = by === "" ? "" : ` by ${by}`;
  const said = `${decision === "match" ? "matched" : "ignored"}${who || " by a decision"}${note === "" ? "" : `: ${note}`}`;
  if (row !== undefined) remarks.onRow(row, said);
  else if (entry !== undefined) remarks.onEntry(entry, said);
}

function inWords({ line }: Decision, why: string): string {
  return `The decision in line ${line} does not fit any more: ${why}.`;
}
