import { Chains } from "./chains.ts";
import type { PossiblePairs } from "./by-amount.ts";
import type { Fees } from "./fees.ts";
import type { Mentions } from "./mentions.ts";
import { joinRows } from "./parts.ts";
import type { RowStores } from "./sides.ts";
import { areTogether, pair, sumOf } from "./sides.ts";
import { noDay } from "../rows/row-store.ts";

/** Marks a row with several candidates. */
const ambiguous = -1;
const candidatesMaxCount = 100;

/** Pairs rows of one reference where the book has the amount less the fee, each where only one entry has it. */
export function matchNetOfFee(sides: RowStores, fees: Fees, mentions: Mentions): void {
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
  netNamed(sides, fees, mentions);
}

/** A row that names the one entry which has its amount after the fee, where no other row could be it. */
function netNamed(sides: RowStores, fees: Fees, mentions: Mentions): void {
  const { statement, book, codes } = sides;
  const claims = new Map<number, number[]>();
  for (const row of mentions.rows()) {
    const fee = statement.isOpen(row) ? fees.openFeeOf(row) : 0;
    if (fee === 0) continue;
    const net = codes.sumOf(statement.amountOf(row), fee);
    const entries = mentions.namesIn(row).flatMap((name) => mentions.entriesOf(name));
    const [entry, other] = entries.filter((one) => book.amountOf(one) === net && !book.isFar(one));
    if (entry !== undefined && other === undefined) claim(claims, entry, row);
  }
  for (const [entry, [row, other]] of claims) {
    if (row === undefined || other !== undefined) continue;
    pair(sides, row, entry, "net of fee");
    fees.join(row);
  }
}

/**
 * Pairs rows that nothing else accounts for with an entry of their amount after the fee, on a day within the window,
 * where both have only each other.
 */
export function pairNetByAmount(sides: RowStores, fees: Fees, { inBook, inStatement }: PossiblePairs): void {
  const { statement, book, codes, span } = sides;
  if (fees.count === 0) return;
  const entries = [...book.openRows()].filter((one) => inStatement.countFor(one) === 0 && !book.isFar(one));
  const booked = Map.groupBy(entries, (entry) => book.amountOf(entry));
  const claims = new Map<number, number[]>();
  for (const row of booked.size === 0 ? [] : statement.openRows()) {
    const fee = statement.isFee(row) || inBook.countFor(row) > 0 ? 0 : fees.openFeeOf(row);
    if (fee === 0 || statement.dayOf(row) === noDay) continue;
    const found = booked.get(codes.sumOf(statement.amountOf(row), fee)) ?? [];
    // With so many candidates, none is certain.
    if (found.length > candidatesMaxCount) continue;
    const near = found.filter((one) => Math.abs(book.dayOf(one) - statement.dayOf(row)) <= span.windowDays);
    // A row with two candidates makes both of them ambiguous for others, too.
    for (const entry of near) claim(claims, entry, near.length === 1 ? row : ambiguous);
  }
  for (const [entry, [row = ambiguous, other]] of claims) {
    if (row === ambiguous || other !== undefined) continue;
    pair(sides, row, entry, "probable");
    fees.join(row);
  }
}

function netOne(sides: RowStores, fees: Fees, row: number, booked: Chains): void {
  const { statement, book, codes } = sides;
  const fee = fees.openFeeOf(row);
  if (fee === 0) return;
  const net = codes.sumOf(statement.amountOf(row), fee);
  const entries = booked.of(statement.keyOf(row)).filter((one) => book.isOpen(one) && book.amountOf(one) === net);
  // Of several the nearest, whatever their order in the book; of two equally near, the earlier.
  const apart = (one: number) => Math.abs(book.dayOf(one) - statement.dayOf(row));
  const [entry] = entries.toSorted(
    (one, other) =>
      Number(book.isFar(one)) - Number(book.isFar(other)) ||
      apart(one) - apart(other) ||
      book.dayOf(one) - book.dayOf(other),
  );
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

/** Records which rows claim an entry; two are enough to make it ambiguous. */
function claim(claims: Map<number, number[]>, entry: number, row: number): void {
  const others = claims.get(entry);
  if (others === undefined) claims.set(entry, [row]);
  else if (others.length === 1) others.push(row);
}
