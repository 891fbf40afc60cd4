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
  const entries = book.far === 0 ? [] : entriesLike(statement, side, asked, texts.count);
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

/** Entries dated before the statement's days that have the reference and the amount of a row, the oldest first. */
function entriesLike(statement: RowStore, book: RowStore, asked: Period, texts: number): number[] {
  const isNamed = new Uint8Array(texts);
  for (let row = 0; row < statement.count; row += 1) isNamed[statement.keyOf(row)] = 1;
  const entries: number[] = [];
  for (let entry = 0; entry < book.count; entry += 1)
    if (book.isFar(entry) && book.dayOf(entry) < asked.startDate.serial && isNamed[book.keyOf(entry)] === 1)
      entries.push(entry);
  if (entries.length === 0) return entries;
  const keys = new Set(entries.map((entry) => likeKey(book, entry)));
  const rows = new Set<string>();
  for (let row = 0; row < statement.count; row += 1) {
    const key = likeKey(statement, row);
    if (statement.hasAmount(row) && keys.has(key)) rows.add(key);
  }
  return entries
    .filter((entry) => rows.has(likeKey(book, entry)))
    .toSorted((one, other) => book.dayOf(one) - book.dayOf(other));
}

function countRows(side: RowStore, left: Map<string, number>): void {
  for (let row = 0; row < side.count; row += 1) {
    const key = likeKey(side, row);
    const count = left.get(key);
    if (count !== undefined && side.isInPeriod(row) && side.hasAmount(row)) left.set(key, count + 1);
  }
}
