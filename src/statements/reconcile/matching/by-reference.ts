import { Chains } from "./chains.ts";
import { pairUp } from "./pairing.ts";
import type { RowStore } from "../rows/row-store.ts";
import type { RowStores } from "./sides.ts";
import { pair } from "./sides.ts";

/** Pairs rows with equal reference and amount; further ones are marked as repeated. */
export function matchByReference(sides: RowStores, booked: Chains): void {
  const { statement, book, texts } = sides;
  const stated = new Chains(statement, texts.count, (row) =>
    statement.isOpen(row) && statement.hasAmount(row) ? statement.keyOf(row) : 0,
  );
  for (let key = 1; key < texts.count; key += 1) {
    const [row, entry] = [stated.firstOf(key), booked.firstOf(key)];
    const isOnly = !hasMore(stated, row) && !hasMore(booked, entry);
    if (!isOnly) matchGroup(sides, stated.of(key), booked.of(key));
    else if (row !== undefined && entry !== undefined && statement.amountOf(row) === book.amountOf(entry))
      pairOpen(sides, row, entry);
  }
}

function pairOpen(sides: RowStores, row: number, entry: number): void {
  if (sides.book.isOpen(entry)) pair(sides, row, entry, "matched");
  else pairSettled(sides, [row], [entry]);
}

/**
 * Pairs rows with entries that an earlier month was reconciled with, as probable only: the payments of all months can
 * share one reference. A row that an earlier month left open does not belong to them at all.
 * @returns the rows that are left
 */
function pairSettled(sides: RowStores, rows: readonly number[], entries: readonly number[]): readonly number[] {
  const { statement, book } = sides;
  const own = rows.filter((row) => !statement.flags.has(row, "carried"));
  const paired = pairUp({ statement, book, rows: own, entries: entries.filter((entry) => book.isSettled(entry)) });
  for (const [row, entry] of paired.pairs) pair(sides, row, entry, "probable");
  return rows.filter((row) => statement.isOpen(row));
}

/** Any number of rows with one reference. */
function matchGroup(sides: RowStores, rows: readonly number[], entries: readonly number[]): void {
  const { statement, book } = sides;
  const [amounts, booked] = [byAmount(statement, rows), byAmount(book, entries)];
  for (const amount of new Set([...amounts.keys(), ...booked.keys()]))
    matchAmount(sides, amounts.get(amount) ?? [], booked.get(amount) ?? []);
}

/**
 * Rows of one reference and one amount. The first pair within the period is a match, and so is each further pair that
 * both sides have on a day of its own; later rows are repeated. A book can go far back, so its rows before the period
 * don't make rows of the period repeated.
 */
function matchAmount(sides: RowStores, rows: readonly number[], entries: readonly number[]): void {
  const { statement, book } = sides;
  const open = {
    rows: rows.filter((row) => statement.isOpen(row)),
    entries: entries.filter((one) => book.isOpen(one)),
  };
  const paired = pairUp({ statement, book, ...open });
  const pairedDays = new Set<number>();
  let isRepeated = false;
  for (const [row, entry] of paired.pairs) {
    const day = statement.dayOf(row);
    const isOfItsDay = day === book.dayOf(entry) && !pairedDays.has(day);
    pair(sides, row, entry, isRepeated && !isOfItsDay ? "duplicate" : "matched");
    pairedDays.add(day);
    if (statement.isInPeriod(row) || book.isInPeriod(entry)) isRepeated = true;
  }
  const isAlone = paired.pairs.length === 0;
  const inPeriod = paired.entries.filter((entry) => book.isInPeriod(entry));
  const others = paired.entries.filter((entry) => !book.isInPeriod(entry));
  const isMissing = isAlone || (!isRepeated && inPeriod.length > 0);
  const days = {
    statement: new Set(paired.pairs.map(([row]) => statement.dayOf(row))),
    book: new Set(paired.pairs.map(([, entry]) => book.dayOf(entry))),
  };
  markAllButFirst(statement, pairSettled(sides, paired.rows, entries), isAlone, days.statement);
  markAllButFirst(book, [...inPeriod, ...others], isMissing, days.book);
}

/**
 * Marks rows without a pair as repeated, except the first one where nothing was paired before. A row on a day of its
 * own is only recurring: it may be something else with the same reference.
 */
function markAllButFirst(side: RowStore, rows: readonly number[], isKept: boolean, days: Set<number>): void {
  for (const [index, row] of rows.entries()) {
    const day = side.dayOf(row);
    if (index > 0 || !isKept) side.flags.set(row, days.has(day) ? "repeated" : "recurring");
    days.add(day);
  }
}

/** Classifies rows that are left: repeated ones, and those with an equal reference and a different amount. */
export function settleReferences(sides: RowStores): void {
  const { statement, book, texts } = sides;
  for (const side of [statement, book])
    for (const row of side.openRows())
      if (side.flags.has(row, "repeated") && !side.isFee(row)) side.decide(row, "duplicate");
  const stated = new Chains(statement, texts.count, (row) =>
    isFirst(statement, row) && statement.hasAmount(row) && !statement.isFee(row) ? statement.keyOf(row) : 0,
  );
  const booked = new Chains(book, texts.count, (entry) =>
    isFirst(book, entry) && !book.isFar(entry) ? book.keyOf(entry) : 0,
  );
  for (let key = 1; key < texts.count; key += 1) {
    if (stated.firstOf(key) === undefined || booked.firstOf(key) === undefined) continue;
    const entries = inOrder(sides, book, booked.of(key));
    for (const [index, row] of inOrder(sides, statement, stated.of(key)).entries()) {
      const entry = entries[index];
      if (entry !== undefined) pair(sides, row, entry, "differing");
    }
  }
}

function isFirst(side: RowStore, row: number): boolean {
  return side.isOpen(row) && !side.flags.has(row, "recurring");
}

function byAmount(side: RowStore, rows: readonly number[]): Map<number, number[]> {
  return Map.groupBy(rows, (row) => side.amountOf(row));
}

/**
 * The oldest first, then the smallest, so that the order of the book doesn't matter. Rows of the book with equal day,
 * amount and reference are interchangeable.
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
