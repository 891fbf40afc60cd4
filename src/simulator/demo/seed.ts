import * as z from "zod/mini";
import { amountOf } from "../../values/money/amount.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { MerchantAccountName } from "../books/merchant-account.ts";
import type { WalletName } from "../books/wallet.ts";

/**
 * The initial state of a world: accounts, and the rows of their statements, oldest first. Seed files have this shape,
 * as do the accounts in a state file. `opening` is an account's balance before its first row (default: 0). Rows are
 * served exactly as written, unknown fields included; a row without a balance gets the computed one.
 */
export interface Seed {
  readonly wallets: readonly WalletSeed[];
  readonly accounts: readonly MerchantAccountSeed[];
}

export interface WalletSeed extends WalletName {
  readonly opening: Numeral;
  readonly entries: readonly JsonObject[];
}

export interface MerchantAccountSeed extends MerchantAccountName {
  readonly opening: Numeral;
  readonly entries: readonly JsonObject[];
}

const text = z.string().check(z.minLength(1));
const opening = z._default(
  z.custom<Numeral>((value) => value instanceof Numeral && amountOf(value) instanceof Decimal, "must be a number"),
  new Numeral("0"),
);
const walletEntry = entry("tranRefNo", "amountCredited", "amountDebited");
const accountEntry = entry("reference", "amountCredit", "amountDebit");

const walletSeed = z.strictObject({
  accountNo: text,
  accountName: text,
  type: z.enum(["DEFAULT DISBURSEMENT", "DEFAULT COLLECTION", "COLLECTION", "DISBURSEMENT"]),
  currency: text,
  countryCode: text,
  opening,
  entries: z._default(z.array(walletEntry), []),
});

const merchantAccountSeed = z.strictObject({
  accountNo: text,
  accountName: text,
  branchCode: text,
  currency: text,
  status: z._default(text, "ACTIVE"),
  opening,
  entries: z._default(z.array(accountEntry), []),
});

/** The schema of a seed. Unknown fields are refused everywhere except in rows, so that a misspelled one is noticed. */
export const seedSchema = z
  .strictObject({
    wallets: z._default(z.array(walletSeed), []),
    accounts: z._default(z.array(merchantAccountSeed), []),
  })
  .check(z.refine(({ wallets }) => isUnique(wallets), "wallets must not repeat an accountNo"))
  .check(z.refine(({ accounts }) => isUnique(accounts), "accounts must not repeat an accountNo"));

/** The first violation in a document, for people: its path and the problem. */
export function firstFault(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join(".") ?? "";
  return `${path === "" ? "the document" : path}: ${issue?.message ?? "is not of the documented shape"}`;
}

/** The effect of a row on its account: credit less debit. Missing, null and `""` count as zero. */
export function effectOf(row: JsonObject, credit: string, debit: string): Decimal {
  return (amountOf(row[credit]) ?? Decimal.zero).subtract(amountOf(row[debit]) ?? Decimal.zero);
}

function entry(reference: string, credit: string, debit: string) {
  return z
    .custom<JsonObject>((value) => isJsonObject(value), "must be an object")
    .check(z.refine((row) => typeof row[reference] === "string", `${reference} must be text`))
    .check(z.refine((row) => hasDay(row["valueDate"]), "valueDate must begin with a day, YYYY-MM-DD"))
    .check(z.refine((row) => isAmount(row[credit]) && isAmount(row[debit]), `${credit} and ${debit} must be amounts`));
}

function hasDay(value: JsonValue | undefined): boolean {
  return typeof value === "string" && dayOfTimestamp(value) !== undefined;
}

function isAmount(value: JsonValue | undefined): boolean {
  return amountOf(value) !== undefined;
}

function isUnique(accounts: readonly { readonly accountNo: string }[]): boolean {
  return new Set(accounts.map(({ accountNo }) => accountNo)).size === accounts.length;
}
