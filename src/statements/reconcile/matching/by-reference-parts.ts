import { Chains } from "./chains.ts";
import { joinEntries, joinRows } from "./parts.ts";
import type { RowStores } from "./sides.ts";
import { areTogether, sumOf } from "./sides.ts";

/**
 * Matches several rows of one reference with a single row of the other side that is their sum, the sum of all that are
 * open.
 */
export function matchPartsOfReference(sides: RowStores): void {
  const { statement, book, texts } = sides;
  const stated = new Chains(statement, texts.count, (row) =>
    statement.isOpen(row) && statement.hasAmount(row) && !statement.isFee(row) ? statement.keyOf(row) : 0,
  );
  const booked = new Chains(book, texts.count, (entry) =>
    book.isOpen(entry) && !book.isFar(entry) ? book.keyOf(entry) : 0,
  );
  for (let key = 1; key < texts.count; key += 1) {
    if (stated.firstOf(key) === undefined || booked.firstOf(key) === undefined) continue;
    const [rows, entries] = [stated.of(key), booked.of(key)];
    const [[row = 0], [entry = 0]] = [rows, entries];
    if (rows.length > 1 && entries.length === 1) {
      if (areTogether(sides, rows) && sumOf(sides, statement, rows) === book.amountOf(entry))
        joinRows(sides, rows, entry, "matched");
    } else if (entries.length > 1 && rows.length === 1) {
      if (areTogether(sides, entries, book) && sumOf(sides, book, entries) === statement.amountOf(row))
        joinEntries(sides, row, entries, "matched");
    }
  }
}
