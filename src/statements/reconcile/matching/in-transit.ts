import type { RowStore } from "../rows/row-store.ts";
import type { RowStores } from "./sides.ts";

const settled = new Set(["matched", "differing", "net of fee", "probable"]);

/**
 * Finds items in transit at the period's end: pairs with one half in the period and the other after it, and entries of
 * the last days that only the book has.
 */
export function findInTransit(sides: RowStores): void {
  const { statement, book, span } = sides;
  for (const [side, other] of [
    [statement, book],
    [book, statement],
  ] as const)
    for (let row = 0; row < side.count; row += 1)
      if (isSplit(sides, side, row, other)) side.changeVerdict(row, "in transit");
  for (let entry = 0; entry < book.count; entry += 1) {
    const isLate = book.isInPeriod(entry) && span.isOfLastDays(book.dayOf(entry));
    if (isLate && book.verdictOf(entry) === "only in book" && !book.flags.has(entry, "uncertain"))
      book.changeVerdict(entry, "in transit");
  }
}

function isSplit({ span, areOrders, book }: RowStores, side: RowStore, row: number, other: RowStore): boolean {
  const partner = side.partnerOf(row);
  if (partner === undefined) return false;
  const [one, two] = [span.sideOf(side.dayOf(row)), span.sideOf(other.dayOf(partner))];
  const verdict = side.verdictOf(row) ?? "";
  if (areOrders === true && (side === book ? one : two) > 0) return false;
  return one > 0 !== two > 0 && (settled.has(verdict) || verdict === "in transit");
}
