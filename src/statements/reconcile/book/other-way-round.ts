import type { AmountCodes } from "../rows/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";

/** So many amounts, where no reference says anything, are no accident. */
const enoughAmounts = 2;

/** True where all that both sides have in common fits only with the other sign: by reference, else by amount. */
export function fitsOtherWayRound(statement: RowStore, book: RowStore, codes: AmountCodes): boolean {
  return fitsByReference(statement, book, codes) ?? fitsByAmount(statement, book, codes);
}

/** Undefined where the sides have no reference in common. */
function fitsByReference(statement: RowStore, book: RowStore, codes: AmountCodes): boolean | undefined {
  const amounts = new Map<number, number>();
  for (let row = 0; row < book.count; row += 1)
    if (book.keyOf(row) !== 0) amounts.set(book.keyOf(row), book.amountOf(row));
  let count = 0;
  for (let row = 0; row < statement.count; row += 1) {
    const booked = statement.isFee(row) ? undefined : amounts.get(statement.keyOf(row));
    if (booked === undefined || !statement.hasAmount(row)) continue;
    if (booked !== codes.negative(statement.amountOf(row))) return false;
    count += 1;
  }
  return count > 0 ? true : undefined;
}

/** Every amount of the book in the period is in the statement, and each of them only with the other sign. */
function fitsByAmount(statement: RowStore, book: RowStore, codes: AmountCodes): boolean {
  const amounts = new Set<number>();
  for (let row = 0; row < statement.count; row += 1) if (statement.hasAmount(row)) amounts.add(statement.amountOf(row));
  let count = 0;
  for (let row = 0; row < book.count; row += 1) {
    const amount = book.amountOf(row);
    if (!book.isInPeriod(row) || amount === 0) continue;
    if (amounts.has(amount) || !amounts.has(codes.negative(amount))) return false;
    count += 1;
  }
  return count >= enoughAmounts;
}
