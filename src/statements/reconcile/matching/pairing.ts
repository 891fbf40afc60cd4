import type { RowStore } from "../rows/row-store.ts";

/** Rows of a statement and of a book that have their reference and their amount in common. */
export interface Alike {
  readonly statement: RowStore;
  readonly book: RowStore;
  readonly rows: readonly number[];
  readonly entries: readonly number[];
}

/** The pairs, oldest first, and what is left over on one of the sides. */
export interface Paired {
  readonly pairs: readonly (readonly [row: number, entry: number])[];
  readonly rows: readonly number[];
  readonly entries: readonly number[];
}

/** Pairs equal rows: those of the same day, then those within the period, then in order. */
export function pairUp({ statement, book, rows, entries }: Alike): Paired {
  const sameDay = pairDays(statement, book, byDay(statement, rows), byDay(book, entries));
  const within = pairInTurn(
    sameDay.rows.filter((row) => statement.isInPeriod(row)),
    sameDay.entries.filter((entry) => book.isInPeriod(entry)),
  );
  const taken = new Set(within.flatMap(([row]) => row));
  const takenInBook = new Set(within.flatMap(([, entry]) => entry));
  const left = sameDay.rows.filter((row) => !taken.has(row));
  const leftInBook = sameDay.entries.filter((entry) => !takenInBook.has(entry));
  const others = pairInTurn(left, leftInBook);
  const pairs = [sameDay.pairs, within, others].flat();
  return {
    pairs: pairs.toSorted(([a], [b]) => statement.dayOf(a) - statement.dayOf(b) || a - b),
    rows: left.slice(others.length),
    entries: leftInBook.slice(others.length),
  };
}

/** Pairs rows and entries of the same day; both lists are ordered by day. */
function pairDays(statement: RowStore, book: RowStore, rows: readonly number[], entries: readonly number[]): Paired {
  const pairs: [number, number][] = [];
  const left: number[] = [];
  const leftInBook: number[] = [];
  let next = 0;
  for (const row of rows) {
    const day = statement.dayOf(row);
    for (let entry = entries[next]; entry !== undefined && book.dayOf(entry) < day; entry = entries[next]) {
      leftInBook.push(entry);
      next += 1;
    }
    const entry = entries[next];
    if (entry === undefined || book.dayOf(entry) !== day) left.push(row);
    else {
      pairs.push([row, entry]);
      next += 1;
    }
  }
  return { pairs, rows: left, entries: leftInBook.concat(entries.slice(next)) };
}

function pairInTurn(rows: readonly number[], entries: readonly number[]): [number, number][] {
  const count = Math.min(rows.length, entries.length);
  return Array.from({ length: count }, (_, index) => [rows[index] ?? 0, entries[index] ?? 0]);
}

function byDay(side: RowStore, rows: readonly number[]): number[] {
  return rows.toSorted((a, b) => side.dayOf(a) - side.dayOf(b) || side.compareRest(a, b));
}
