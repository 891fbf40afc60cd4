import type { Book } from "./book.ts";
import type { AmountCodes } from "../../packing/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";

/** So many amounts, without any matching reference, can't be chance. */
const enoughAmounts = 2;

/**
 * True where everything that both sides have in common fits only with the opposite sign: by reference, else by amount.
 */
export function fitsOtherWayRound(statement: RowStore, book: Book, codes: AmountCodes): boolean {
  return fitsByReference(statement, book, codes) ?? fitsByAmount(statement, book.side, codes);
}

/** Undefined where the sides have no reference in common. */
function fitsByReference(statement: RowStore, { side, chains }: Book, codes: AmountCodes): boolean | undefined {
  let count = 0;
  for (let row = 0; row < statement.count; row += 1) {
    const key = statement.keyOf(row);
    const entry = key === 0 || statement.isFee(row) ? undefined : chains.firstOf(key);
    if (entry === undefined || !statement.hasAmount(row)) continue;
    if (side.amountOf(entry) !== codes.negative(statement.amountOf(row))) return false;
    count += 1;
  }
  return count > 0 ? true : undefined;
}

/** True where every amount of the book in the period is in the statement, but only with the opposite sign. */
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
