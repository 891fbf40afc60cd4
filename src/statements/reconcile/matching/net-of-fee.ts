import { Chains } from "./chains.ts";
import type { Fees } from "./fees.ts";
import { joinRows } from "./parts.ts";
import type { RowStores } from "./sides.ts";
import { pair, sumOf } from "./sides.ts";

/** Pairs rows of one reference where the book has what is left after the fee, each where one entry alone has it. */
export function matchNetOfFee(sides: RowStores, fees: Fees): void {
  if (fees.count === 0) return;
  const { statement, book, texts } = sides;
  const booked = new Chains(book, texts.count, (entry) => (book.isOpen(entry) ? book.keyOf(entry) : 0));
  for (let row = 0; row < statement.count; row += 1) {
    const key = statement.keyOf(row);
    if (key === 0 || !statement.isOpen(row) || statement.isFee(row) || !statement.hasAmount(row)) continue;
    if (booked.firstOf(key) === undefined) continue;
    netOne(sides, fees, row, booked);
  }
  netSeveral(sides, fees, booked);
}

function netOne(sides: RowStores, fees: Fees, row: number, booked: Chains): void {
  const { statement, book, codes } = sides;
  const fee = fees.openFeeOf(row);
  if (fee === 0) return;
  const net = codes.sumOf(statement.amountOf(row), fee);
  const entries = booked.of(statement.keyOf(row)).filter((one) => book.isOpen(one) && book.amountOf(one) === net);
  const entry = entries.find((one) => !book.isFar(one)) ?? entries[0];
  if (entry === undefined) return;
  pair(sides, row, entry, "net of fee");
  fees.join(row);
}

/** Several rows of one reference, booked as one after their fees. */
function netSeveral(sides: RowStores, fees: Fees, booked: Chains): void {
  const { statement, book, codes, texts } = sides;
  const stated = new Chains(statement, texts.count, (row) =>
    statement.isOpen(row) && statement.hasAmount(row) && !statement.isFee(row) ? statement.keyOf(row) : 0,
  );
  for (let key = 1; key < texts.count; key += 1) {
    const first = stated.firstOf(key);
    if (first === undefined || stated.after(first) === undefined || booked.firstOf(key) === undefined) continue;
    const rows = stated.of(key);
    const entries = booked.of(key).filter((entry) => book.isOpen(entry) && !book.isFar(entry));
    const [entry] = entries;
    const fee = rows.reduce((sum, row) => codes.sumOf(sum, fees.openFeeOf(row)), 0);
    if (entry === undefined || entries.length > 1 || fee === 0) continue;
    if (!areTogether(sides, rows) || codes.sumOf(sumOf(sides, statement, rows), fee) !== book.amountOf(entry)) continue;
    joinRows(sides, rows, entry, "net of fee");
    for (const row of rows) fees.join(row);
  }
}

/** Rows on the same side of the period's ends: what is only partly there yet is no whole. */
export function areTogether({ statement, span }: RowStores, rows: readonly number[], side = statement): boolean {
  const [first = 0] = rows;
  const where = span.sideOf(side.dayOf(first));
  return rows.every((row) => span.sideOf(side.dayOf(row)) === where);
}
