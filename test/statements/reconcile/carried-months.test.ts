import * as fc from "fast-check";
import { expect, test } from "vitest";
import { walletEntryShape } from "../../../src/statements/entry.ts";
import { AmountCodes } from "../../../src/statements/packing/amount-codes.ts";
import { Book } from "../../../src/statements/reconcile/book/book.ts";
import { Carry } from "../../../src/statements/reconcile/carry/carry.ts";
import type { CarriedMonth, CarriedItem, OpenMonths } from "../../../src/statements/reconcile/carry/carry-file.ts";
import { lastDaysOf, carriedItems } from "../../../src/statements/reconcile/carry/open-items.ts";
import { Reconciliation } from "../../../src/statements/reconcile/reconciliation.ts";
import { Remarks } from "../../../src/statements/reconcile/remarks.ts";
import { DateWindow } from "../../../src/statements/reconcile/rows/date-window.ts";
import { Parts } from "../../../src/statements/reconcile/rows/parts.ts";
import { StatementIntake } from "../../../src/statements/reconcile/rows/statement-intake.ts";
import { StringTable } from "../../../src/statements/reconcile/rows/string-table.ts";
import { Numeral } from "../../../src/values/json.ts";
import { Decimal } from "../../../src/values/money/decimal.ts";
import { Day } from "../../../src/values/time/day.ts";
import type { Period } from "../../../src/values/time/period.ts";
import type { Item } from "./compared.ts";

const first = new Day(Day.parse("2026-10-01")?.serial ?? 0);
const november = first.lastOfMonth().addDays(1);
const december = november.lastOfMonth().addDays(1);
const windowDays = 2;

/** Days around the ends of months, where the cases meet. */
const day = fc.constantFrom(3, 10, 28, 29, 30, 31, 32, 33, 45, 59, 60, 61, 62, 63, 80, 90);
const item = (...references: readonly string[]) =>
  fc.record({
    reference: fc.constantFrom(...references),
    amount: fc.constantFrom("5", "5.00", "-5", "10", "9", "4", "-2", "-1"),
    day,
  });
const fees = fc.option(fc.constantFrom(0, 1, 2, 4), { nil: undefined });
/** Payments, some of them with a fee on the same day or later. */
const statements = fc
  .array(fc.tuple(item("", "A", "B", "C"), fees), { maxLength: 5 })
  .map((payments) => payments.flatMap(([payment, lag]) => [payment, ...feeOf(payment, lag)]));
const books = fc.array(item("", "A", "B", "D", "A-PAYIN"), { maxLength: 5 });

function feeOf({ reference, day }: Item, lag: number | undefined): readonly Item[] {
  return lag === undefined || reference === ""
    ? []
    : [{ reference: `${reference}-PAYIN`, amount: "-1", day: day + lag }];
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((a, b) => a.add(b), Decimal.zero);
}

const amountOf = ({ amount }: Item) => Decimal.parse(amount) ?? Decimal.zero;
const dayOf = ({ day }: Item) => first.serial + day;
const balanceOn = (last: Day, items: readonly Item[]) =>
  sum(items.filter((one) => dayOf(one) <= last.serial).map(amountOf));

/** Both balances at the end of a month, the unexplained amount, and the carried items. */
function month(startDate: Day, [rows, entries]: readonly [readonly Item[], readonly Item[]], months: OpenMonths) {
  const period: Period = { startDate, endDate: startDate.lastOfMonth() };
  const span = new DateWindow(period, windowDays);
  const [texts, codes, remarks] = [new StringTable(), new AmountCodes(), new Remarks()];
  const tables = { texts, codes, period };
  const carry = new Carry(months, period, remarks);
  const book = new Book(texts, codes, span);
  for (const entry of entries) book.add({ reference: entry.reference, amount: amountOf(entry), day: dayOf(entry) });
  carry.addToBook(book, tables);
  const intake = new StatementIntake(texts, codes, { shape: walletEntryShape, span, book });
  let balance = Decimal.zero;
  for (const row of rows.toSorted((a, b) => a.day - b.day)) {
    balance = balance.add(amountOf(row));
    if (span.covers(dayOf(row))) intake.take(written(row, balance));
  }
  const [closing, opening] = [balanceOn(period.endDate, rows), balanceOn(startDate.addDays(-1), entries)];
  carry.addToStatement(intake, book, tables, balanceOn(startDate.addDays(-1), rows));
  carry.markSettled(intake.side, book.side, tables);
  const sides = { statement: intake.side, book: book.side, codes, texts, span, parts: new Parts() };
  const bookBalance = { opening, closing: undefined };
  const parts = { sides, book, sums: intake.sums(closing), sources: [], bookBalance, remarks };
  const reconciliation = new Reconciliation("42", parts);
  const open = carriedItems(sides, reconciliation.result, carry);
  const carried: CarriedMonth = { open, lastDays: lastDaysOf(sides), closing };
  return {
    unexplained: reconciliation.balance.unexplained,
    apart: closing.subtract(balanceOn(period.endDate, entries)),
    carried: new Map(months).set(carry.month, carried),
    open,
  };
}

function written({ reference, amount, day }: Item, balance: Decimal) {
  const change = Decimal.parse(amount) ?? Decimal.zero;
  const [none, size] = [new Numeral("0"), new Numeral(change.abs().toString())];
  return {
    tranRefNo: reference,
    valueDate: `${first.addDays(day).toString()} 08:00:00`,
    narration: "",
    amountCredited: change.sign > 0 ? size : none,
    amountDebited: change.sign > 0 ? none : size,
    balance: new Numeral(balance.toString()),
  };
}

/** The gap between both balances according to the open items. */
function apartBy(open: readonly CarriedItem[]): Decimal {
  return sum(open.map(({ side, amount }) => (side === "statement" ? amount : amount.negate())));
}

test("month by month nothing is unexplained, and the open items equal the gap between both balances", () => {
  fc.assert(
    fc.property(statements, books, (rows, entries) => {
      let carried: OpenMonths = new Map();
      for (const start of [first, november, december]) {
        const ended = month(start, [rows, entries], carried);
        carried = ended.carried;
        expect(ended.unexplained?.isZero).toBe(true);
        expect(apartBy(ended.open).equals(ended.apart)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
