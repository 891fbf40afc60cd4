import { feeParent, isFeeRow } from "../contract/fee-row.ts";
import type { EntryShape } from "../statements/entry.ts";
import { accountEntryShape, entryOf, textIn, walletEntryShape } from "../statements/entry.ts";
import { minorDigits } from "../values/money/currency.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { dayOfTimestamp } from "../values/time/wall-time.ts";
import type { AccountKind } from "./ledger.ts";

const shapes: Readonly<Record<AccountKind, EntryShape>> = { wallet: walletEntryShape, merchant: accountEntryShape };
/** Fields with the balance after the row: they shift with every row inserted before it. */
const balanceFields: Readonly<Record<AccountKind, readonly string[]>> = {
  wallet: ["balance"],
  merchant: ["availableBalance", "currentBalance", "bookedBalance"],
};
/** SQLite's and PostgreSQL's largest whole number. */
const minorMax = 2n ** 63n - 1n;

/** The facts of a row, with the same names for both kinds of account. */
export interface RowFacts {
  /** The value date as a day in Dar es Salaam, `YYYY-MM-DD`; empty without one. */
  readonly day: string;
  /** The value date as the service writes it. */
  readonly time: string;
  readonly reference: string;
  readonly narration: string;
  /** Who paid; empty where the row doesn't say. */
  readonly counterparty: string;
  readonly paymentReference: string;
  /** By the sign of `change`, or else by the service's own field; undefined where neither tells. */
  readonly side: "credit" | "debit" | undefined;
  /** Credit less debit; undefined where one of them isn't an amount. */
  readonly change: Decimal | undefined;
  /** The balance after the row; undefined where the service gives none. */
  readonly balance: Decimal | undefined;
  readonly isFee: boolean;
  /** The reference of the row that this is a fee for; empty for other rows. */
  readonly feeOf: string;
}

export function factsOf(row: JsonObject, kind: AccountKind): RowFacts {
  const { reference, credit, debit, balance, valueDate } = entryOf(row, shapes[kind]);
  const narration = textIn(row, "narration");
  const hasAmounts = credit !== undefined && debit !== undefined;
  const change = hasAmounts ? (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero) : undefined;
  const isFee = isFeeRow({ reference, narration });
  return {
    day: dayOfTimestamp(valueDate) ?? "",
    time: valueDate,
    reference,
    narration,
    counterparty: textIn(row, "senderAccountName") || textIn(row, "senderAccountNo"),
    paymentReference: textIn(row, "paymentReference"),
    side: sideOf(row, kind, change),
    change,
    balance: balance ?? undefined,
    isFee,
    feeOf: isFee ? feeParent({ reference, narration }) : "",
  };
}

/** The balances before and after a row, as far as they are known. */
export interface RowEnds {
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
}

export function endsOf(row: JsonObject | undefined, kind: AccountKind): RowEnds {
  const { change, balance } = factsOf(row ?? {}, kind);
  return { opening: change && balance?.subtract(change), closing: balance };
}

/** The service's own field decides where there is no amount, or zero. */
function sideOf(row: JsonObject, kind: AccountKind, change: Decimal | undefined): RowFacts["side"] {
  if (change !== undefined && change.sign !== 0) return change.sign > 0 ? "credit" : "debit";
  const said = textIn(row, kind === "wallet" ? "debitOrCredit" : "creditOrDebit").toUpperCase();
  return said.startsWith("C") ? "credit" : said.startsWith("D") ? "debit" : undefined;
}

/** The row without its balances, as JSON: the same before and after another row was inserted before it. */
export function identityOf(row: JsonObject, kind: AccountKind): string {
  const [first, ...others] = balanceFields[kind];
  return JSON.stringify(row, (name, value: unknown) => (name === first || others.includes(name) ? undefined : value));
}

/** The balances in a row, by field. */
export function balancesIn(row: JsonObject, kind: AccountKind): JsonObject {
  const balances: JsonObject = {};
  for (const name of balanceFields[kind]) {
    const value = row[name];
    if (value !== undefined) balances[name] = value;
  }
  return balances;
}

/**
 * An amount in the smallest units of its currency, cents for 2 digits; undefined where it isn't whole, or is too large.
 */
export function minorUnits(amount: Decimal | undefined, digits: number): bigint | number | undefined {
  if (amount === undefined) return undefined;
  const { shortUnits, scale } = amount;
  const excess = scale - digits;
  const short = typeof shortUnits === "number" && excess <= 0 ? shortUnits * 10 ** -excess : Number.NaN;
  if (Number.isSafeInteger(short)) return short;
  const { units } = amount;
  if (excess <= 0) return fitting(units * 10n ** BigInt(-excess));
  const divisor = 10n ** BigInt(excess);
  return units % divisor === 0n ? fitting(units / divisor) : undefined;
}

function fitting(units: bigint): bigint | undefined {
  return units <= minorMax && units >= -minorMax ? units : undefined;
}

/** How many digits after the decimal point the currency's smallest unit has. */
export function digitsOf(currency: string): number {
  return minorDigits(currency === "" ? undefined : currency);
}
