import type { AmountCodes } from "../../packing/amount-codes.ts";
import type { DateWindow } from "../rows/date-window.ts";
import type { RowStore } from "../rows/row-store.ts";
import type { GivenVerdict } from "../rows/verdicts.ts";
import type { StringTable } from "../rows/string-table.ts";
import type { Parts } from "../rows/parts.ts";

/** The two sides that are compared. */
export interface RowStores {
  readonly statement: RowStore;
  readonly book: RowStore;
  readonly codes: AmountCodes;
  readonly texts: StringTable;
  readonly span: DateWindow;
  readonly parts: Parts;
  /** Entries of the book are orders: none comes after its row, whatever the clocks say. */
  readonly areOrders?: boolean | undefined;
}

/** Decides that a row and an entry belong together. */
export function pair({ statement, book }: RowStores, row: number, entry: number, verdict: GivenVerdict): void {
  statement.decide(row, verdict, entry);
  book.decide(entry, verdict, row);
}

/** The sum of rows of a side, as a code. */
export function sumOf({ codes }: RowStores, side: RowStore, rows: readonly number[]): number {
  return rows.reduce((sum, row) => codes.sumOf(sum, side.amountOf(row)), 0);
}

/** By day, reference and amount: the same order whatever the book's is. */
export function compareRows({ texts, codes }: RowStores, side: RowStore, a: number, b: number): number {
  return (
    side.dayOf(a) - side.dayOf(b) ||
    texts.compare(side.referenceOf(a), side.referenceOf(b)) ||
    codes.compare(side.amountOf(a), side.amountOf(b)) ||
    side.compareRest(a, b)
  );
}

/** True for rows on the same side of the period's ends: a sum must not reach across them. */
export function areTogether({ statement, span }: RowStores, rows: readonly number[], side = statement): boolean {
  const [first = 0] = rows;
  const where = span.sideOf(side.dayOf(first));
  return rows.every((row) => span.sideOf(side.dayOf(row)) === where);
}
