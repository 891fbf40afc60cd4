import type { Cash } from "../../books/cash.ts";
import type { Compared } from "../../books/comparison.ts";
import type { Customer } from "../../books/customers.ts";
import type { Fee } from "../../books/fees.ts";
import type { Flow } from "../../books/flow.ts";
import type { OpenItem } from "../../books/open-items.ts";
import type { BookedRow } from "../../books/booked-row.ts";
import type { Row } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { minorDigits } from "../../values/money/currency.ts";

const account = { name: "account", kind: "id", role: "who", shortens: "account" } as const satisfies Field;
const currency = { name: "currency", kind: "id", role: "money" } as const satisfies Field;
const count = { name: "count", kind: "count", role: "detail" } as const satisfies Field;
export const periodColumn = { name: "period", kind: "time", role: "when" } as const satisfies Field;

function money(name: string): Field {
  return { name, kind: "amount", role: "money" };
}

/** A percentage: shown with its own digits, and never with a currency. */
const percent = { name: "percent", kind: "count", role: "detail", title: "%" } as const satisfies Field;

export const cashColumns: readonly Field[] = [
  account,
  ...["opening", "in", "out", "fees", "closing"].map(money),
  currency,
  { name: "rows", kind: "count", role: "detail" },
];
export const flowColumns: readonly Field[] = [
  periodColumn,
  { name: "kind", kind: "text", role: "what" },
  count,
  ...["in", "out", "net"].map(money),
  currency,
];
export const feesColumns: readonly Field[] = [
  account,
  { name: "kind", kind: "text", role: "what" },
  count,
  money("sum"),
  money("amounts"),
  percent,
  currency,
];
export const customersColumns: readonly Field[] = [
  { name: "name", kind: "text", role: "what" },
  { name: "number", kind: "id", role: "who" },
  count,
  money("sum"),
  currency,
];
export const openColumns: readonly Field[] = [
  { name: "state", kind: "text", role: "state" },
  { name: "kind", kind: "text", role: "what" },
  { name: "reference", kind: "id", role: "what" },
  account,
  money("amount"),
  currency,
  { name: "since", kind: "time", role: "when", shortens: "minute" },
  { name: "ageDays", kind: "count", role: "detail", title: "age in days" },
  { name: "note", kind: "text", role: "detail" },
];
export const rowColumns: readonly Field[] = [
  account,
  { name: "day", kind: "time", role: "when" },
  { name: "time", kind: "time", role: "detail" },
  { name: "reference", kind: "id", role: "what" },
  { name: "narration", kind: "text", role: "what" },
  { name: "counterparty", kind: "text", role: "detail" },
  { name: "kind", kind: "text", role: "detail" },
  money("amount"),
  money("balance"),
  currency,
];

/**
 * @param first the heading of the first month's column
 * @param second the heading of the second month's column
 */
export function compareColumns(first: string, second: string): readonly Field[] {
  return [
    account,
    { name: "figure", kind: "text", role: "what" },
    { ...money("first"), title: first },
    { ...money("second"), title: second },
    money("difference"),
    percent,
    currency,
  ];
}

export function cashRow({ account: of, interval, opening, in: cameIn, out, fees, closing, rows }: Cash): Row {
  const digits = amountsIn(of.currency);
  return {
    ...periodCell(interval),
    account: of.accountNo,
    opening: digits(opening),
    in: digits(cameIn),
    out: digits(out),
    fees: digits(fees),
    closing: digits(closing),
    currency: of.currency,
    rows: Numeral.of(rows),
  };
}

export function flowRow(flow: Flow): Row {
  const digits = amountsIn(flow.currency);
  return {
    period: flow.interval,
    kind: flow.kind,
    count: Numeral.of(flow.count),
    in: digits(flow.in),
    out: digits(flow.out),
    net: digits(flow.net),
    currency: flow.currency,
  };
}

export function feeRow({ interval, account: of, kind, count: times, sum, amounts, percent: share }: Fee): Row {
  const digits = amountsIn(of.currency);
  return {
    ...periodCell(interval),
    account: of.accountNo,
    kind,
    count: Numeral.of(times),
    sum: digits(sum),
    amounts: digits(amounts),
    percent: share === null ? null : new Numeral(share.toString()),
    currency: of.currency,
  };
}

export function customerRow({ interval, name, number, count: times, sum, currency: unit }: Customer): Row {
  return {
    ...periodCell(interval),
    name,
    number,
    count: Numeral.of(times),
    sum: amountsIn(unit)(sum),
    currency: unit,
  };
}

/** The same for people, with words where nothing is known about the payer. */
export function customerForPeople(row: Row): Row {
  return row["name"] === "" && row["number"] === "" ? { ...row, name: "(not known)" } : row;
}

export function openItemRow({ amount, ageDays, currency: unit, ...item }: OpenItem): Row {
  const digits = amount === null ? null : amountsIn(unit)(amount);
  return { ...item, amount: digits, currency: unit, ageDays: Numeral.of(ageDays) };
}

export function comparedRow({ account: of, currency: unit, figure, ...sums }: Compared): Row {
  const digits = amountsIn(unit);
  return {
    account: of,
    figure,
    first: digits(sums.first),
    second: digits(sums.second),
    difference: digits(sums.difference),
    percent: sums.percent === null ? null : new Numeral(sums.percent.toString()),
    currency: unit,
  };
}

/** A row behind a figure. */
export function bookedCells({ account: of, facts, change }: BookedRow, kind: string): Row {
  const digits = amountsIn(of.currency);
  const { day, time, reference, narration, counterparty, balance } = facts;
  return {
    account: of.accountNo,
    day,
    time,
    reference,
    narration,
    counterparty,
    kind,
    amount: digits(change),
    balance: balance === undefined ? null : digits(balance),
    currency: of.currency,
  };
}

function periodCell(interval: string): Row {
  return interval === "" ? {} : { period: interval };
}

/** Digits as files have them: at least those of the currency. */
function amountsIn(unit: string): (amount: Decimal) => Numeral {
  const digits = minorDigits(unit === "" ? undefined : unit);
  return (amount) => new Numeral(amount.padded(digits));
}
