import type { Book } from "./book.ts";
import type { AmountCodes } from "../../packing/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";

/** So many amounts, without any matching reference, can't be chance. */
const enoughAmounts = 2;
/** So many entries of a reference are looked at. */
const entriesMaxCount = 100;

/**
 * True where everything that both sides have in common fits with the opposite sign, and some of it only so: by
 * reference, else by amount. A payment and its reversal fit with either.
 */
export function fitsOtherWayRound(statement: RowStore, book: Book, codes: AmountCodes): boolean {
  return fitsByReference(statement, book, codes) ?? fitsByAmount(statement, book.side, codes);
}

/** Undefined where the sides have no reference in common, or only amounts that fit with either sign. */
function fitsByReference(statement: RowStore, book: Book, codes: AmountCodes): boolean | undefined {
  let count = 0;
  for (let row = 0; row < statement.count; row += 1) {
    const key = statement.keyOf(row);
    if (key === 0 || statement.isFee(row) || !statement.hasAmount(row)) continue;
    const amounts = amountsOf(key, book);
    if (amounts.size === 0) continue;
    const amount = statement.amountOf(row);
    if (!amounts.has(codes.negative(amount))) return false;
    if (!amounts.has(amount)) count += 1;
  }
  return count > 0 ? true : undefined;
}

function amountsOf(key: number, { side, chains }: Book): Set<number> {
  const amounts = new Set<number>();
  let left = entriesMaxCount;
  for (let entry = chains.firstOf(key); entry !== undefined && left > 0; entry = chains.after(entry)) {
    amounts.add(side.amountOf(entry));
    left -= 1;
  }
  return amounts;
}

/** True where every amount of the book in the period is in the statement with the opposite sign, some only so. */
function fitsByAmount(statement: RowStore, book: RowStore, codes: AmountCodes): boolean {
  const amounts = new Set<number>();
  for (let row = 0; row < statement.count; row += 1) if (statement.hasAmount(row)) amounts.add(statement.amountOf(row));
  let count = 0;
  for (let row = 0; row < book.count; row += 1) {
    const amount = book.amountOf(row);
    if (!book.isInPeriod(row) || amount === 0) continue;
    if (!amounts.has(codes.negative(amount))) return false;
    if (!amounts.has(amount)) count += 1;
  }
  return count >= enoughAmounts;
}
