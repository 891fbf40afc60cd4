import type { RowStores } from "./by-reference.ts";
import { pair } from "./by-reference.ts";
import type { RowStore } from "./rows/row-store.ts";
import { noDay } from "./rows/row-store.ts";

/** A note names up to so many candidates; of more it names a few, since nobody would go through them there. */
const namedMaxCount = 20;
const fewCount = 3;

/**
 * Rows that may belong to a row of the other side: those of the same amount on days near it that found nobody by
 * their reference. They are neighbours in an order by amount and day, so a range says all.
 */
export class Candidates {
  readonly #order: Int32Array;
  readonly #firsts: Int32Array;
  readonly #counts: Int32Array;

  constructor(order: Int32Array, ofSide: RowStore) {
    this.#order = order;
    this.#firsts = new Int32Array(ofSide.count);
    this.#counts = new Int32Array(ofSide.count);
  }

  found(row: number, first: number, count: number): void {
    this.#firsts[row] = first;
    this.#counts[row] = count;
  }

  countFor(row: number): number {
    return this.#counts[row] ?? 0;
  }

  /** The first of them, the oldest first; as many as a note names. */
  namedFor(row: number): readonly number[] {
    const first = this.#firsts[row] ?? 0;
    const count = this.countFor(row);
    return [...this.#order.subarray(first, first + (count > namedMaxCount ? fewCount : count))];
  }
}

/** Who may belong to whom, for the notes of what is ambiguous. */
export interface Nearby {
  /** Rows of the statement that may belong to a row of the book. */
  readonly inStatement: Candidates;
  /** Rows of the book that may belong to a row of the statement. */
  readonly inBook: Candidates;
}

/**
 * Decides about the rows that are still open: where a row of the statement and one of the book have only each other as
 * candidates they probably belong together; where there are several, nobody knows which, and all of them are ambiguous.
 */
export function matchByAmount(sides: RowStores, windowDays: number): Nearby {
  const { statement, book } = sides;
  const [rows, entries] = [openRows(sides, statement), openRows(sides, book)];
  const inStatement = new Candidates(rows, book);
  const inBook = new Candidates(entries, statement);
  findNear({ side: book, order: entries }, { side: statement, order: rows }, inStatement, windowDays, sides);
  findNear({ side: statement, order: rows }, { side: book, order: entries }, inBook, windowDays, sides);
  for (const entry of entries) {
    const count = inStatement.countFor(entry);
    const [row] = count === 1 ? inStatement.namedFor(entry) : [];
    if (row !== undefined && inBook.countFor(row) === 1) pair(sides, row, entry, "probable");
    else book.decide(entry, count === 0 ? "only in book" : "ambiguous");
  }
  for (const row of rows) {
    if (!statement.isOpen(row)) continue;
    statement.decide(row, inBook.countFor(row) === 0 ? "only in statement" : "ambiguous");
  }
  // What has no amount or no day is near to nothing.
  for (let row = 0; row < statement.count; row += 1)
    if (statement.isOpen(row)) statement.decide(row, "only in statement");
  return { inStatement, inBook };
}

interface Ordered {
  readonly side: RowStore;
  /** By amount, then by day. */
  readonly order: Int32Array;
}

/** For each row of the one the range of the other's rows that are near to it. Both orders are gone through once. */
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

function openRows({ codes, texts }: RowStores, side: RowStore): Int32Array {
  const rows = new Int32Array(side.count);
  let count = 0;
  for (let row = 0; row < side.count; row += 1) {
    if (!side.isOpen(row) || side.isFee(row) || !side.hasAmount(row) || side.dayOf(row) === noDay) continue;
    rows[count] = row;
    count += 1;
  }
  return rows.subarray(0, count).sort((a, b) => {
    const order = codes.compare(side.amountOf(a), side.amountOf(b)) || side.dayOf(a) - side.dayOf(b);
    return order || texts.compare(side.referenceOf(a), side.referenceOf(b)) || side.compareRest(a, b);
  });
}
