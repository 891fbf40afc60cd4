import { isFeeReference, isFeeRow, parentReference } from "../contract/fee-row.ts";
import type { EntryShape } from "../statements/entry.ts";
import { accountEntryShape, entryOf, textIn, walletEntryShape } from "../statements/entry.ts";
import { minorDigits } from "../values/money/currency.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { dayOfTimestamp } from "../values/time/wall-time.ts";
import type { AccountKind } from "./ledger.ts";

const shapes: Readonly<Record<AccountKind, EntryShape>> = { wallet: walletEntryShape, merchant: accountEntryShape };
/** The fields of a row that say what an account held after it: they move with every row that comes before. */
const balanceFields: Readonly<Record<AccountKind, readonly string[]>> = {
  wallet: ["balance"],
  merchant: ["availableBalance", "currentBalance", "bookedBalance"],
};
/** SQLite's and PostgreSQL's largest whole number. */
const minorMax = 2n ** 63n - 1n;

/** What a row means, under the same names for both kinds of account. */
export interface RowFacts {
  /** `YYYY-MM-DD` of the value date; empty where it has none. */
  readonly day: string;
  /** The value date as the service writes it. */
  readonly time: string;
  readonly reference: string;
  readonly narration: string;
  /** Who paid, as far as the row says; empty otherwise. */
  readonly counterparty: string;
  readonly paymentReference: string;
  /** Undefined where the row has neither, both, or what isn't an amount. */
  readonly side: "credit" | "debit" | undefined;
  /** Credit less debit; undefined where one of them isn't an amount. */
  readonly change: Decimal | undefined;
  /** After the row; undefined where the service names none. */
  readonly balance: Decimal | undefined;
  readonly isFee: boolean;
  /** The reference of the row that it is the fee for; empty for other rows. */
  readonly feeOf: string;
}

export function factsOf(row: JsonObject, kind: AccountKind): RowFacts {
  const { reference, credit, debit, balance, valueDate } = entryOf(row, shapes[kind]);
  const narration = textIn(row, "narration");
  const isTold = credit !== undefined && debit !== undefined;
  const change = isTold ? (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero) : undefined;
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
    feeOf: isFee ? feeParent(reference, narration) : "",
  };
}

/** What the service says of a row that has no amount, or an amount of zero. */
function sideOf(row: JsonObject, kind: AccountKind, change: Decimal | undefined): RowFacts["side"] {
  if (change !== undefined && change.sign !== 0) return change.sign > 0 ? "credit" : "debit";
  const said = textIn(row, kind === "wallet" ? "debitOrCredit" : "creditOrDebit").toUpperCase();
  return said.startsWith("C") ? "credit" : said.startsWith("D") ? "debit" : undefined;
}

/** The reference of the row that a fee is for; empty where the fee does not say. */
export function feeParent(reference: string, narration: string): string {
  if (isFeeReference(reference)) return parentReference(reference);
  return /^SERVICE FEE FOR REF:\s*(\S+)/i.exec(narration)?.[1] ?? "";
}

/** The row without what it says of balances: the same row before and after another one came before it. */
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

/** The smallest units of a currency, as a whole number: cents for 2; undefined where it isn't whole, or too large. */
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

/** How many digits after the point an account's smallest units have. */
export function digitsOf(currency: string): number {
  return minorDigits(currency === "" ? undefined : currency);
}
