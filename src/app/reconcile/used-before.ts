import { likeKey } from "../../statements/reconcile/carry/carry.ts";
import { DateWindow } from "../../statements/reconcile/rows/date-window.ts";
import type { RowStore } from "../../statements/reconcile/rows/row-store.ts";
import { StatementIntake } from "../../statements/reconcile/rows/statement-intake.ts";
import type { StringTable } from "../../statements/reconcile/rows/string-table.ts";
import type { AmountCodes } from "../../statements/packing/amount-codes.ts";
import type { Book } from "../../statements/reconcile/book/book.ts";
import { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { AccountStatements } from "../statements/account-statements.ts";

/** What the statement was compared with. */
interface Reading {
  readonly book: Book;
  readonly texts: StringTable;
  readonly codes: AmountCodes;
  readonly span: DateWindow;
  /** The days for which the statement was read. */
  readonly asked: Period;
}

/**
 * Marks earlier entries of the book that earlier rows of the statement already match: a payment that the bank makes
 * again needs an entry of its own. Earlier rows are read only if an earlier entry has a row's reference and amount.
 * @throws {Failure} refused | unavailable
 */
export async function markUsedBefore(
  statements: AccountStatements,
  statement: RowStore,
  { book, texts, codes, span, asked }: Reading,
): Promise<void> {
  const { side } = book;
  const entries = entriesLike(statement, side, span.period, texts.count);
  const [first] = entries;
  if (first === undefined) return;
  const period = {
    startDate: new Day(side.dayOf(first)).towards(-span.windowDays),
    endDate: asked.startDate.addDays(-1),
  };
  const whole = new DateWindow(period, 0);
  const left = new Map(entries.map((entry) => [likeKey(side, entry), 0]));
  await statements.stream(period, async (rows) => {
    for await (const batch of rows) {
      const earlier = new StatementIntake(texts, codes, { shape: statements.shape, span: whole, book });
      for (const row of batch) earlier.take(row);
      countRows(earlier.side, left);
    }
  });
  for (const entry of entries) {
    const key = likeKey(side, entry);
    const count = left.get(key) ?? 0;
    if (count > 0) side.flags.set(entry, "settled");
    left.set(key, count - 1);
  }
}

/**
 * Entries from before the period that have the reference and the amount of a row, the oldest first. Those of the days
 * just before it, which the statement has as well, count only where it has fewer such rows than entries on them.
 */
function entriesLike(statement: RowStore, book: RowStore, { startDate }: Period, texts: number): number[] {
  const isNamed = new Uint8Array(texts);
  for (let row = 0; row < statement.count; row += 1) isNamed[statement.keyOf(row)] = 1;
  const entries: number[] = [];
  for (let entry = 0; entry < book.count; entry += 1)
    if (book.dayOf(entry) < startDate.serial && isNamed[book.keyOf(entry)] === 1) entries.push(entry);
  if (entries.length === 0) return entries;
  const near = new Map(entries.map((entry) => [likeKey(book, entry), 0]));
  for (const entry of entries) if (!book.isFar(entry)) add(near, likeKey(book, entry), 1);
  const [rows, ofPeriod] = [new Set<string>(), new Set<string>()];
  for (let row = 0; row < statement.count; row += 1) {
    const key = likeKey(statement, row);
    if (!statement.hasAmount(row) || !near.has(key)) continue;
    rows.add(key);
    if (statement.isInPeriod(row)) ofPeriod.add(key);
    else if (statement.dayOf(row) < startDate.serial) add(near, key, -1);
  }
  const mayBeUsed = (entry: number) => {
    const key = likeKey(book, entry);
    return book.isFar(entry) ? rows.has(key) : ofPeriod.has(key) && (near.get(key) ?? 0) > 0;
  };
  return entries.filter(mayBeUsed).toSorted((one, other) => book.dayOf(one) - book.dayOf(other));
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function countRows(side: RowStore, left: Map<string, number>): void {
  for (let row = 0; row < side.count; row += 1) {
    const key = likeKey(side, row);
    const count = left.get(key);
    if (count !== undefined && side.isInPeriod(row) && side.hasAmount(row)) left.set(key, count + 1);
  }
}
