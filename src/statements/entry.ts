import { amountOf } from "../values/money/amount.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { Numeral } from "../values/json.ts";

/** The field names of one kind of statement. Spec 2.3 and 2.6. */
export interface EntryShape {
  readonly reference: string;
  readonly credit: string;
  readonly debit: string;
  /** The balance after the entry. */
  readonly balance: string;
}

export const walletEntryShape: EntryShape = {
  reference: "tranRefNo",
  credit: "amountCredited",
  debit: "amountDebited",
  balance: "balance",
};

export const accountEntryShape: EntryShape = {
  reference: "reference",
  credit: "amountCredit",
  debit: "amountDebit",
  balance: "availableBalance",
};

/** What a check needs from a row of any kind of statement. */
export interface Entry {
  readonly reference: string;
  /** Null where the field is empty, undefined where it isn't a valid amount. */
  readonly credit: Decimal | null | undefined;
  readonly debit: Decimal | null | undefined;
  readonly balance: Decimal | null | undefined;
  /** As the service wrote it. */
  readonly valueDate: string;
}

/** Reads a row by the field names of its kind of statement. */
export function entryOf(row: JsonObject, shape: EntryShape): Entry {
  return {
    reference: textIn(row, shape.reference),
    credit: amountOf(row[shape.credit]),
    debit: amountOf(row[shape.debit]),
    balance: amountOf(row[shape.balance]),
    valueDate: textIn(row, "valueDate"),
  };
}

/** The text or the digits in a field; empty for any other value. */
export function textIn(row: JsonObject, name: string): string {
  const value = row[name];
  if (typeof value === "string") return value;
  return value instanceof Numeral ? value.text : "";
}
