import { accountBalanceFieldsOf, accountEntryFields } from "../../src/contract/accounts.ts";
import { walletBalanceFields, walletEntryFields, walletFields } from "../../src/contract/wallets.ts";
import type { Schema } from "./form.ts";
import {
  anything,
  anyObject,
  either,
  listOf,
  object,
  serviceProperties,
  serviceRow,
  text,
  withDescription,
} from "./form.ts";

const accountBalanceFields = accountBalanceFieldsOf({ currentBalance: "", bookedBalance: "" });
const wallet = object(
  { profile: text, ...serviceProperties(walletFields) },
  { optional: ["profile", ...walletFields.map(({ name }) => name)], isOpen: true },
);
const walletEntry = serviceRow(walletEntryFields, "A row of the statement, as the service sent it.");
const accountEntry = serviceRow(accountEntryFields, "A row of the statement, as the service sent it.");
const walletBalance = serviceRow(walletBalanceFields, "What the wallet holds.");
const accountBalance = serviceRow(accountBalanceFields, "What the merchant account holds.");

/** What comes from the service as it is. */
export const readingSchemas: Readonly<Record<string, Schema>> = {
  "account:balance": accountBalance,
  "account:statement": listOf(accountEntry),
  api: withDescription(anything, "The answer of the service, byte for byte."),
  institutions: listOf(anyObject, "Whatever fields the service sends of each institution."),
  "ledger:statement": listOf(either(walletEntry, accountEntry)),
  "wallet:balance": either(walletBalance, listOf(walletBalance, "Of several wallets, or of --all.")),
  "wallet:statement": listOf(walletEntry),
  "wallets:list": listOf(wallet, "Rows have profile with --all-profiles."),
};

export { walletEntry };
