import type { AmountCodes } from "./rows/amount-codes.ts";
import { Chains } from "./chains.ts";
import { pairUp } from "./pairing.ts";
import type { RowStore } from "./rows/row-store.ts";
import type { StringTable } from "./rows/string-table.ts";

/** The two sides that are compared. */
export interface RowStores {
  readonly statement: RowStore;
  readonly book: RowStore;
  readonly codes: AmountCodes;
  readonly texts: StringTable;
}

/**
 * Decides about rows that have their reference in common: the same amount is a match, what is repeated a duplicate,
 * another amount a difference, or net of the fee where the difference is the fee. What finds no row stays open.
 */
export function matchByReference(sides: RowStores, booked: Chains): void {
  const { statement, texts } = sides;
  const stated = new Chains(statement, texts.count, (row) =>
    statement.isOpen(row) && statement.hasAmount(row) ? statement.keyOf(row) : 0,
  );
  for (let key = 1; key < texts.count; key += 1) {
    const [row, entry] = [stated.firstOf(key), booked.firstOf(key)];
    const isOnly = !hasMore(stated, row) && !hasMore(booked, entry);
    if (!isOnly) matchGroup(sides, stated.of(key), booked.of(key));
    else if (row !== undefined && entry !== undefined) matchOne(sides, row, entry);
  }
}

/** Any number of rows with one reference. */
function matchGroup(sides: RowStores, rows: readonly number[], entries: readonly number[]): void {
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

interface Rest {
  readonly rows: readonly number[];
  readonly entries: readonly number[];
}

/**
 * Rows of one reference and one amount. The first pair within the period is a match; what comes after it is there
 * again. A book can go far back, so what it has before the period makes nothing in the period a repetition.
 * @returns those that have no pair and are no repetition
 */
function matchAmount(sides: RowStores, rows: readonly number[], entries: readonly number[]): Rest {
  const { statement, book } = sides;
  const paired = pairUp({ statement, book, rows, entries });
  let isRepeated = false;
  for (const [row, entry] of paired.pairs) {
    pair(sides, row, entry, isRepeated ? "duplicate" : "matched");
    if (statement.isInPeriod(row) || book.isInPeriod(entry)) isRepeated = true;
  }
  const isAlone = paired.pairs.length === 0;
  const inPeriod = paired.entries.filter((entry) => book.isInPeriod(entry));
  const others = paired.entries.filter((entry) => !book.isInPeriod(entry));
  const isMissing = isAlone || (!isRepeated && inPeriod.length > 0);
  return {
    rows: keepFirst(statement, paired.rows, isAlone),
    entries: keepFirst(book, [...inPeriod, ...others], isMissing),
  };
}

/** What has no pair is there again, but for the first of it where nothing went before. */
function keepFirst(side: RowStore, rows: readonly number[], isKept: boolean): readonly number[] {
  const kept = isKept ? rows.slice(0, 1) : [];
  for (const row of rows.slice(kept.length)) side.decide(row, "duplicate");
  return kept;
}

/** What has the reference in common and not the amount: first where the fee explains it, then one after the other. */
function pairRest(sides: RowStores, rows: readonly number[], entries: readonly number[]): void {
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
    entries.filter((entry) => book.isOpen(entry) && !book.isFar(entry)),
  );
  for (const [index, row] of differing.entries()) {
    const entry = left[index];
    if (entry !== undefined) pair(sides, row, entry, "differing");
  }
}

/** The only row and the only entry of a reference. */
function matchOne(sides: RowStores, row: number, entry: number): void {
  const { statement, book, codes } = sides;
  const [stated, booked, fee] = [statement.amountOf(row), book.amountOf(entry), statement.feeOf(row)];
  if (stated === booked) pair(sides, row, entry, "matched");
  else if (fee !== 0 && codes.sumOf(stated, fee) === booked) pair(sides, row, entry, "net of fee");
  else if (!book.isFar(entry)) pair(sides, row, entry, "differing");
}

/** Decides a row and an entry as each other's. */
export function pair(
  { statement, book }: RowStores,
  row: number,
  entry: number,
  verdict: "matched" | "differing" | "net of fee" | "probable" | "duplicate",
): void {
  statement.decide(row, verdict, entry);
  book.decide(entry, verdict, row);
}

function byAmount(side: RowStore, rows: readonly number[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const group = groups.get(side.amountOf(row));
    if (group === undefined) groups.set(side.amountOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/**
 * The oldest first, then the smallest: whatever the order of the book, the same rows are the first. Rows of the book
 * that agree in day, amount and reference are the same to everybody.
 */
function inOrder({ codes }: RowStores, side: RowStore, rows: readonly number[]): number[] {
  return rows.toSorted(
    (a, b) =>
      side.dayOf(a) - side.dayOf(b) || codes.compare(side.amountOf(a), side.amountOf(b)) || side.compareRest(a, b),
  );
}

function hasMore(chains: Chains, row: number | undefined): boolean {
  return row !== undefined && chains.after(row) !== undefined;
}
