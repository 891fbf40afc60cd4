import type { AmountCodes } from "../../packing/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";
import type { StringTable } from "../rows/string-table.ts";
import type { CarriedItem } from "./carry-file.ts";

/**
 * Differences of earlier months whose reference has further rows in the statement, and no further entry in the book.
 * There, the bank still has to pay the rest of the book's entry; otherwise, the book still has to enter the rest of the
 * row.
 * @param items open rows of earlier months that were not read again
 */
export function paidOn(
  items: readonly CarriedItem[],
  { statement, book }: { readonly statement: RowStore; readonly book: RowStore },
  { texts, codes }: { readonly texts: StringTable; readonly codes: AmountCodes },
): ReadonlySet<CarriedItem> {
  const differences = items.filter(({ isDifference, feeOf, reference }) => isDifference && !feeOf && reference !== "");
  if (differences.length === 0) return new Set();
  const signs = new Map<number, Set<number>>(differences.map(({ reference }) => [texts.idOf(reference), new Set()]));
  for (let row = 0; row < statement.count; row += 1)
    if (statement.counts(row) && statement.hasAmount(row))
      signs.get(statement.keyOf(row))?.add(Math.sign(codes.compare(statement.amountOf(row), 0)));
  for (const { reference, amount, isDifference } of items)
    if (!isDifference) signs.get(texts.idOf(reference))?.add(amount.sign);
  for (let entry = 0; entry < book.count; entry += 1) if (book.isInPeriod(entry)) signs.delete(book.keyOf(entry));
  return new Set(
    differences.filter(({ reference, amount }) => signs.get(texts.idOf(reference))?.has(-amount.sign) === true),
  );
}
