import { isFeeRow } from "../../contract/fee-row.ts";
import { encodeJson } from "../../contract/wire.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { Day } from "../../values/time/day.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { valueDayOf } from "./value-day.ts";

/** The side of a wallet's statement: money that left it, or came in. */
export type Side = "debit" | "credit";

/** A row of a wallet's statement, as far as it can serve as proof. Spec 2.6. */
export interface StatementRow {
  /** The wallet whose statement shows it. */
  readonly accountNo: string;
  /** Empty where it has none. */
  readonly tranRefNo: string;
  readonly narration: string;
  /** True for the service's fee for another row. */
  readonly isFee: boolean;
  /** Credit less debit; undefined where one of them isn't a valid amount. */
  readonly change: Decimal | undefined;
  /** The side with the amount, if it is above zero and the other side is empty or zero. */
  readonly side: Side | undefined;
  /** True where only one side has an amount, above or below zero. */
  readonly isOneSided: boolean;
  /** The meaning of `debitOrCredit`. */
  readonly mark: Side | "none" | "other";
  /** As received. */
  readonly valueDate: string;
  /** In Dar es Salaam; undefined where the value date is unreadable. */
  readonly valueDay: Day | undefined;
  /** As the service sent it. */
  readonly source: JsonObject;
}

/** Reads a row of that wallet's statement. It never fails: an unreadable field proves nothing. */
export function readRow(accountNo: string, source: JsonObject): StatementRow {
  const [tranRefNo, narration] = [textIn(source, "tranRefNo"), textIn(source, "narration")];
  const valueDate = textIn(source, "valueDate");
  return {
    accountNo,
    tranRefNo,
    narration,
    isFee: isFeeRow({ reference: tranRefNo, narration }),
    ...amountsOf(source),
    mark: markOf(textIn(source, "debitOrCredit")),
    valueDate,
    valueDay: valueDayOf(valueDate),
    source,
  };
}

/**
 * What identifies a row: account, wallet, reference, value date, amount, side and balance. The key is the same for the
 * amounts `5` and `5.00`.
 * @param accountId of the account at the service
 */
export function rowKey(accountId: string, row: StatementRow): string {
  const { accountNo, tranRefNo, valueDate, change, source } = row;
  const side = change === undefined ? "?" : change.sign < 0 ? "debit" : "credit";
  const amount = change === undefined ? amountText(source["amountCredited"]) : change.abs().trimmed();
  return JSON.stringify([
    accountId,
    accountNo,
    tranRefNo,
    valueDate.replace("T", " "),
    amount,
    side,
    amountText(source["balance"]),
  ]);
}

/** The row as the service sent it, as JSON text. */
export function rowJson({ source }: StatementRow): string {
  return encodeJson(source);
}

/**
 * Rows without repeats: rows that are equal in everything, the balance included. Without a balance, two payments can
 * look alike, so both count.
 */
export function withoutRepeats(rows: readonly StatementRow[]): StatementRow[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const text = wholeText(row);
    if (seen.has(text)) return amountOf(row.source["balance"]) === null;
    seen.add(text);
    return true;
  });
}

/** How often this row occurs, equal in everything. */
export function timesFound(row: StatementRow, rows: readonly StatementRow[]): number {
  const text = wholeText(row);
  return rows.filter((one) => wholeText(one) === text).length;
}

const amountFields: ReadonlySet<string> = new Set(["amountCredited", "amountDebited", "balance"]);

function wholeText({ accountNo, source }: StatementRow): string {
  const members = Object.entries(source).map(([name, value]): [string, unknown] => [
    name,
    amountFields.has(name) ? amountText(value) : value,
  ]);
  return JSON.stringify([accountNo, ...members.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}

function amountsOf(source: JsonObject): Pick<StatementRow, "change" | "side" | "isOneSided"> {
  const [credit, debit] = [amountOf(source["amountCredited"]), amountOf(source["amountDebited"])];
  if (credit === undefined || debit === undefined) return { change: undefined, side: undefined, isOneSided: false };
  const [cameIn, left] = [credit ?? Decimal.zero, debit ?? Decimal.zero];
  const change = cameIn.subtract(left);
  const isOneSided = cameIn.isZero !== left.isZero;
  if (isOneSided && left.sign > 0) return { change, side: "debit", isOneSided };
  return { change, side: isOneSided && cameIn.sign > 0 ? "credit" : undefined, isOneSided };
}

function markOf(text: string): StatementRow["mark"] {
  if (text === "") return "none";
  return marks[text.toUpperCase()] ?? "other";
}

const marks: Readonly<Record<string, Side>> = {
  CR: "credit",
  C: "credit",
  CREDIT: "credit",
  DR: "debit",
  D: "debit",
  DEBIT: "debit",
};

function amountText(value: JsonValue | undefined): string {
  const amount = amountOf(value);
  if (amount === null) return "";
  return amount === undefined ? encodeJson(value ?? null) : amount.trimmed();
}

/** Without the white space around it: some banks pad their fields. */
function textIn(source: JsonObject, name: string): string {
  const value = source[name];
  if (value instanceof Numeral) return value.text;
  return typeof value === "string" ? value.trim() : "";
}
