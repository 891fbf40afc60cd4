import type { AmountCodes } from "./amount-codes.ts";
import { Chains } from "./chains.ts";
import type { Side } from "./side.ts";
import type { Texts } from "./texts.ts";

/** The two sides that are compared. */
export interface Sides {
  readonly statement: Side;
  readonly book: Side;
  readonly codes: AmountCodes;
  readonly texts: Texts;
}

/**
 * Decides about rows that have their reference in common: the same amount is a match, what is repeated a duplicate,
 * another amount a difference, or net of the fee where the difference is the fee. What finds no row stays open.
 */
export function matchByReference(sides: Sides, booked: Chains): void {
  const { statement, texts } = sides;
  const stated = new Chains(statement, texts.count, (row) =>
    statement.isOpen(row) && statement.hasAmount(row) ? statement.keyOf(row) : 0,
  );
  for (let key = 1; key < texts.count; key += 1) {
    const [row, entry] = [stated.firstOf(key), booked.firstOf(key)];
    const isOnly = !hasMore(stated, row) && !hasMore(booked, entry);
    if (!isOnly) matchGroup(sides, stated.of(key), booked.of(key));
    else if (row !== undefined && entry !== undefined) pair(sides, row, entry, verdictOf(sides, row, entry));
  }
}

/** Any number of rows with one reference. */
function matchGroup(sides: Sides, rows: readonly number[], entries: readonly number[]): void {
  const { statement, book } = sides;
  const [amounts, booked] = [byAmount(statement, rows), byAmount(book, entries)];
  const rests = [...new Set([...amounts.keys(), ...booked.keys()])].map((amount) =>
    matchAmount(sides, amounts.get(amount) ?? [], booked.get(amount) ?? []),
  );
  pairRest(
    sides,
    rests.flatMap((rest) => rest.rows),
    rests.flatMap((rest) => rest.entries),
  );
}

/**
 * Rows of one reference and one amount: pairs, those of the same day first. The first pair within the period is a
 * match; what comes after it is there again.
 * @returns a first row that has no pair
 */
function matchAmount(
  sides: Sides,
  rows: readonly number[],
  entries: readonly number[],
): { rows: readonly number[]; entries: readonly number[] } {
  const { statement, book } = sides;
  const { pairs, alone, aloneInBook } = pairUp(sides, rows, entries);
  let isRepeated = false;
  for (const [row, entry] of pairs) {
    pair(sides, row, entry, isRepeated ? "duplicate" : "matched");
    if (statement.isInPeriod(row) || book.isInPeriod(entry)) isRepeated = true;
  }
  const first = pairs.length === 0 ? 1 : 0;
  for (const row of alone.slice(first)) statement.decide(row, "duplicate");
  for (const entry of aloneInBook.slice(first)) book.decide(entry, "duplicate");
  return { rows: alone.slice(0, first), entries: aloneInBook.slice(0, first) };
}

interface Pairs {
  /** A row of the statement and one of the book. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly alone: readonly number[];
  readonly aloneInBook: readonly number[];
}

function pairUp({ statement, book }: Sides, unsorted: readonly number[], unsortedEntries: readonly number[]): Pairs {
  const [rows, entries] = [byDay(statement, unsorted), byDay(book, unsortedEntries)];
  const pairs: [number, number][] = [];
  const left: number[] = [];
  const leftInBook: number[] = [];
  let at = 0;
  for (const row of rows) {
    const day = statement.dayOf(row);
    for (let entry = entries[at]; entry !== undefined && book.dayOf(entry) < day; entry = entries[at]) {
      leftInBook.push(entry);
      at += 1;
    }
    const entry = entries[at];
    if (entry === undefined || book.dayOf(entry) !== day) left.push(row);
    else {
      pairs.push([row, entry]);
      at += 1;
    }
  }
  for (const entry of entries.slice(at)) leftInBook.push(entry);
  const others = Math.min(left.length, leftInBook.length);
  for (let index = 0; index < others; index += 1) pairs.push([left[index] ?? 0, leftInBook[index] ?? 0]);
  pairs.sort(([a], [b]) => statement.dayOf(a) - statement.dayOf(b) || a - b);
  return { pairs, alone: left.slice(others), aloneInBook: leftInBook.slice(others) };
}

/** What has the reference in common and not the amount: first where the fee explains it, then one after the other. */
function pairRest(sides: Sides, rows: readonly number[], entries: readonly number[]): void {
  const { statement, book, codes } = sides;
  const netOf = byAmount(book, inOrder(sides, book, entries).toReversed());
  const differing = inOrder(sides, statement, rows).filter((row) => {
    const fee = statement.feeOf(row);
    const entry = fee === 0 ? undefined : netOf.get(codes.sumOf(statement.amountOf(row), fee))?.pop();
    if (entry !== undefined) pair(sides, row, entry, "net of fee");
    return entry === undefined;
  });
  const left = inOrder(
    sides,
    book,
    entries.filter((entry) => book.isOpen(entry)),
  );
  for (const [index, row] of differing.entries()) {
    const entry = left[index];
    if (entry !== undefined) pair(sides, row, entry, "differing");
  }
}

function verdictOf({ statement, book, codes }: Sides, row: number, entry: number) {
  const [stated, booked] = [statement.amountOf(row), book.amountOf(entry)];
  if (stated === booked) return "matched";
  const fee = statement.feeOf(row);
  return fee !== 0 && codes.sumOf(stated, fee) === booked ? "net of fee" : "differing";
}

export function pair(
  { statement, book }: Sides,
  row: number,
  entry: number,
  verdict: "matched" | "differing" | "net of fee" | "probable" | "duplicate",
): void {
  statement.decide(row, verdict, entry);
  book.decide(entry, verdict, row);
}

function byAmount(side: Side, rows: readonly number[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const group = groups.get(side.amountOf(row));
    if (group === undefined) groups.set(side.amountOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

function byDay(side: Side, rows: readonly number[]): number[] {
  return rows.toSorted((a, b) => side.dayOf(a) - side.dayOf(b) || side.compareRest(a, b));
}

/**
 * The oldest first, then the smallest: whatever the order of the book, the same rows are the first. Rows of the book
 * that agree in day, amount and reference are the same to everybody.
 */
function inOrder({ codes }: Sides, side: Side, rows: readonly number[]): number[] {
  return rows.toSorted(
    (a, b) =>
      side.dayOf(a) - side.dayOf(b) || codes.compare(side.amountOf(a), side.amountOf(b)) || side.compareRest(a, b),
  );
}

function hasMore(chains: Chains, row: number | undefined): boolean {
  return row !== undefined && chains.after(row) !== undefined;
}
