import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";
import type { RowStores } from "./sides.ts";
import { pair } from "./sides.ts";

/** A note names up to this many candidates; of more it names a few, since a person would not check them all. */
const namedMaxCount = 20;
const fewCount = 3;

/**
 * Rows that may belong to a row of the other side: with the same amount on nearby days, and without a match by
 * reference. They are neighbours in an order by amount and day, so a range describes them.
 */
export class Candidates {
  readonly #order: Int32Array;
  readonly #firsts: Int32Array;
  readonly #counts: Int32Array;

  constructor(order: Int32Array, ofSide: RowStore) {
    this.#order = order;
    const length = order.length === 0 ? 0 : ofSide.count;
    this.#firsts = new Int32Array(length);
    this.#counts = new Int32Array(length);
  }

  found(row: number, first: number, count: number): void {
    this.#firsts[row] = first;
    this.#counts[row] = count;
  }

  countFor(row: number): number {
    return this.#counts[row] ?? 0;
  }

  /** As many of them as a note names, the oldest first. */
  namedFor(row: number): readonly number[] {
    const first = this.#firsts[row] ?? 0;
    const count = this.countFor(row);
    return [...this.#order.subarray(first, first + (count > namedMaxCount ? fewCount : count))];
  }
}

/** Possible pairs, for the notes of ambiguous rows. */
export interface PossiblePairs {
  /** For a row of the book, the rows of the statement that may belong to it. */
  readonly inStatement: Candidates;
  /** Rows of the book that may belong to a row of the statement. */
  readonly inBook: Candidates;
}

/**
 * Pairs rows that are still open: where a row of the statement and one of the book have only each other as candidates,
 * they probably belong together.
 */
export function pairByAmount(sides: RowStores): PossiblePairs {
  return pairNear(
    sides,
    (row) => !sides.statement.isFee(row),
    () => true,
  );
}

/** The same for fees that nothing else accounts for, with entries that could belong to no other row. */
export function pairFeesByAmount(sides: RowStores, { inStatement }: PossiblePairs): void {
  pairNear(
    sides,
    (row) => sides.statement.isFee(row),
    (entry) => inStatement.countFor(entry) === 0,
  );
}

type Condition = (row: number) => boolean;

function pairNear(sides: RowStores, isWanted: Condition, isFree: Condition): PossiblePairs {
  const { statement, book, span } = sides;
  const [rows, entries] = [openRows(sides, statement, isWanted), openRows(sides, book, () => true)];
  const inStatement = new Candidates(rows, book);
  const inBook = new Candidates(entries, statement);
  if (rows.length === 0 || entries.length === 0) return { inStatement, inBook };
  findNear({ side: book, order: entries }, { side: statement, order: rows }, inStatement, span.windowDays, sides);
  findNear({ side: statement, order: rows }, { side: book, order: entries }, inBook, span.windowDays, sides);
  for (const entry of entries) {
    const [row] = isFree(entry) && inStatement.countFor(entry) === 1 ? inStatement.namedFor(entry) : [];
    if (row !== undefined && inBook.countFor(row) === 1) pair(sides, row, entry, "probable");
  }
  return { inStatement, inBook };
}

/** Classifies rows without a pair: where several could match, all of them are ambiguous. */
export function settleAmounts({ statement, book }: RowStores, { inStatement, inBook }: PossiblePairs): void {
  for (const entry of book.openRows()) {
    const isAlone = inStatement.countFor(entry) === 0;
    book.decide(entry, isAlone ? (isAgain(book, entry) ? "duplicate" : "only in book") : "ambiguous");
  }
  for (const row of statement.openRows()) {
    if (statement.isFee(row)) continue;
    const isAlone = inBook.countFor(row) === 0;
    statement.decide(row, isAlone ? (isAgain(statement, row) ? "duplicate" : "only in statement") : "ambiguous");
  }
}

function isAgain(side: RowStore, row: number): boolean {
  return side.flags.has(row, "recurring");
}

interface Ordered {
  readonly side: RowStore;
  /** By amount, then by day. */
  readonly order: Int32Array;
}

/** Finds for each row of one side the range of nearby rows of the other. Each order is traversed once. */
function findNear(
  ones: Ordered,
  others: Ordered,
  candidates: Candidates,
  windowDays: number,
  { codes }: RowStores,
): void {
  let first = 0;
  let end = 0;
  const isBefore = (at: number, amount: number, day: number) => {
    const other = others.order[at];
    if (other === undefined) return false;
    const order = codes.compare(others.side.amountOf(other), amount);
    return order < 0 || (order === 0 && others.side.dayOf(other) < day);
  };
  for (const row of ones.order) {
    const [amount, day] = [ones.side.amountOf(row), ones.side.dayOf(row)];
    while (isBefore(first, amount, day - windowDays)) first += 1;
    while (isBefore(end, amount, day + windowDays + 1)) end += 1;
    candidates.found(row, first, end - first);
  }
}

function openRows({ codes, texts }: RowStores, side: RowStore, isWanted: Condition): Int32Array {
  const found: number[] = [];
  for (const row of side.openRows())
    if (isWanted(row) && side.hasAmount(row) && side.dayOf(row) !== noDay && !side.flags.has(row, "repeated"))
      found.push(row);
  return Int32Array.from(found).sort((a, b) => {
    const order = codes.compare(side.amountOf(a), side.amountOf(b)) || side.dayOf(a) - side.dayOf(b);
    return order || texts.compare(side.referenceOf(a), side.referenceOf(b)) || side.compareRest(a, b);
  });
}
