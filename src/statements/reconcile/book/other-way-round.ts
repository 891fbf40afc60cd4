import type { AmountCodes } from "../rows/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";

/** True where both sides have rows of the same reference, and every one of them only with the other sign. */
export function fitsOtherWayRound(statement: RowStore, book: RowStore, codes: AmountCodes): boolean {
  const amounts = new Map<number, number>();
  for (let row = 0; row < book.count; row += 1) amounts.set(book.keyOf(row), book.amountOf(row));
  let count = 0;
  for (let row = 0; row < statement.count; row += 1) {
    const booked = statement.isFee(row) ? undefined : amounts.get(statement.keyOf(row));
    if (booked === undefined || !statement.hasAmount(row)) continue;
    if (booked !== codes.negative(statement.amountOf(row))) return false;
    count += 1;
  }
  return count > 0;
}
