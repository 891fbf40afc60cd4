import { walletEntryShape } from "../../../src/statements/entry.ts";
import { AmountCodes } from "../../../src/statements/packing/amount-codes.ts";
import { Book } from "../../../src/statements/reconcile/book/book.ts";
import { compareRowStores } from "../../../src/statements/reconcile/matching/compare.ts";
import { Parts } from "../../../src/statements/reconcile/rows/parts.ts";
import { Reconciliation } from "../../../src/statements/reconcile/reconciliation.ts";
import { Result } from "../../../src/statements/reconcile/result/result.ts";
import { DateWindow } from "../../../src/statements/reconcile/rows/date-window.ts";
import { StatementIntake } from "../../../src/statements/reconcile/rows/statement-intake.ts";
import { StringTable } from "../../../src/statements/reconcile/rows/string-table.ts";
import { Day } from "../../../src/values/time/day.ts";
import { Decimal } from "../../../src/values/money/decimal.ts";
import { Numeral } from "../../../src/values/json.ts";

/** A row of either side; days count from the first of October 2026, which is 0. */
export interface Item {
  readonly reference: string;
  readonly amount: string;
  readonly day: number;
  /** Only for a row of the statement. */
  readonly narration?: string;
}

const first = new Day(Day.parse("2026-10-01")?.serial ?? 0);

/** Both sides as read for the whole of October. */
function takeIn(statement: readonly Item[], booked: readonly Item[], windowDays: number) {
  const [texts, codes] = [new StringTable(), new AmountCodes()];
  const span = new DateWindow({ startDate: first, endDate: first.lastOfMonth() }, windowDays);
  const book = new Book(texts, codes, span);
  for (const { reference, amount, day } of booked)
    book.add({ reference, amount: Decimal.parse(amount) ?? Decimal.zero, day: first.serial + day });
  const intake = new StatementIntake(texts, codes, { shape: walletEntryShape, span, book });
  let balance = Decimal.zero;
  for (const { reference, amount, day, narration = "" } of statement) {
    const change = Decimal.parse(amount) ?? Decimal.zero;
    balance = balance.add(change);
    const none = new Numeral("0");
    const size = new Numeral(change.abs().toString());
    intake.take({
      tranRefNo: reference,
      valueDate: `${first.addDays(day).toString()} 08:00:00`,
      narration,
      amountCredited: change.sign > 0 ? size : none,
      amountDebited: change.sign > 0 ? none : size,
      balance: new Numeral(balance.toString()),
    });
  }
  const sides = { statement: intake.side, book: book.side, codes, texts, span, parts: new Parts() };
  return { sides, book, sums: intake.sums() };
}

/** The decisions about every row, as the program keeps them. */
export function decided(statement: readonly Item[], booked: readonly Item[], windowDays: number) {
  const parts = takeIn(statement, booked, windowDays);
  const nearby = compareRowStores(parts.sides, parts.book.chains);
  const result = new Result(parts.sides, nearby);
  return { ...parts, result, findings: [...result.findings()] };
}

/** The rows and sums of the result. */
export async function told(
  statement: readonly Item[],
  booked: readonly Item[],
  windowDays: number,
  { opening }: { readonly opening?: Decimal } = {},
) {
  const parts = { ...takeIn(statement, booked, windowDays), sources: [], bookBalance: { opening, closing: undefined } };
  const reconciliation = new Reconciliation("42", parts);
  const rows = [];
  for await (const batch of reconciliation.rows()) rows.push(...batch);
  return {
    rows,
    totals: reconciliation.totals,
    sums: reconciliation.sums,
    balance: reconciliation.balance,
    agrees: reconciliation.agrees,
  };
}
