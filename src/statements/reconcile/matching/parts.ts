import type { GivenVerdict } from "../rows/verdicts.ts";
import type { RowStores } from "./sides.ts";
import { compareRows } from "./sides.ts";

/** Decides several rows of the statement as one entry of the book. */
export function joinRows(sides: RowStores, rows: readonly number[], entry: number, verdict: GivenVerdict): void {
  const { statement, book, parts } = sides;
  parts.rows.set(entry, rows);
  for (const row of rows) statement.decide(row, verdict, entry);
  book.decide(entry, verdict, rows[0]);
}

/** Decides several entries of the book as one row of the statement. */
export function joinEntries(sides: RowStores, row: number, all: readonly number[], verdict: GivenVerdict): void {
  const { statement, book, parts } = sides;
  // The result must not depend on the order of the book.
  const entries = all.toSorted((a, b) => compareRows(sides, book, a, b));
  parts.entries.set(row, entries);
  for (const entry of entries) book.decide(entry, verdict, row);
  statement.decide(row, verdict, entries[0]);
}
