import * as z from "zod/mini";
import type { Field } from "../values/field.ts";
import type { JsonObject } from "../values/json.ts";
import { reads, readsRows } from "./endpoint.ts";
import { day, text } from "./form.ts";
import { objectAt, rowsAt } from "./answers/response.ts";

/** Spec 2.2. */
const accountBalanceFields = [
  { name: "accountNo", kind: "id", title: "account" },
  { name: "accountName", kind: "text", title: "name" },
  { name: "branchCode", kind: "id", title: "branch" },
  { name: "currency", kind: "id" },
  { name: "status", kind: "text" },
  { name: "availableBalance", kind: "amount", title: "available" },
  { name: "currentBalance", kind: "amount", title: "current" },
] as const satisfies readonly Field[];

/**
 * The fields of this balance. Spec 2.2: the field list has `bookedBalance` where the example has `currentBalance`; the
 * name in the answer is shown.
 */
export function accountBalanceFieldsOf(balance: JsonObject): readonly Field[] {
  if (!("bookedBalance" in balance)) return accountBalanceFields;
  const booked: Field = { name: "bookedBalance", kind: "amount", title: "booked" };
  const others = accountBalanceFields.filter(({ name }) => name !== "currentBalance" || name in balance);
  return [...others, booked];
}

/** Spec 2.3. */
export const accountEntryFields = [
  { name: "transactionId", kind: "id", machineOnly: true },
  { name: "reference", kind: "id", role: "detail" },
  { name: "paymentReference", kind: "id", machineOnly: true },
  { name: "creditOrDebit", kind: "id", title: "D/C", role: "detail" },
  { name: "transactionDate", kind: "time", machineOnly: true },
  { name: "valueDate", kind: "time", title: "value date", role: "when", shortens: "day" },
  { name: "narration", kind: "text", role: "what" },
  { name: "description", kind: "text", machineOnly: true },
  { name: "currency", kind: "id", role: "money" },
  { name: "amountCredit", kind: "amount", title: "credit", role: "money", side: "credit" },
  { name: "amountDebit", kind: "amount", title: "debit", role: "money", side: "debit" },
  { name: "availableBalance", kind: "amount", title: "available", role: "money" },
  { name: "currentBalance", kind: "amount", title: "current", machineOnly: true },
  { name: "senderAccountNo", kind: "id", machineOnly: true },
  { name: "senderAccountName", kind: "text", title: "sender", role: "detail" },
  { name: "senderBankIdentifier", kind: "id", machineOnly: true },
] as const satisfies readonly Field[];

/** Spec 4.3. */
export const accountBalance = reads({
  name: "account balance",
  spec: "4.3",
  method: "GET",
  path: "/account/{accountNo}/balance",
  auth: "B",
  availability: "everywhere",
  request: { schema: z.strictObject({ accountNo: text }), places: { accountNo: "path" } },
  response: objectAt("result"),
});

/** Spec 4.4. */
export const accountStatement = readsRows({
  name: "account statement",
  spec: "4.4",
  method: "GET",
  path: "/account/{accountNo}/statement",
  auth: "B",
  availability: "everywhere",
  request: {
    schema: z.strictObject({ accountNo: text, startDate: day, endDate: day }),
    places: { accountNo: "path", startDate: "query", endDate: "query" },
  },
  response: rowsAt("result", "statement"),
});
