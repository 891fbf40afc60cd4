import * as z from "zod/mini";
import type { Field } from "../values/field.ts";
import { movesMoney, reads, readsRows } from "./endpoint.ts";
import { day, positiveAmount, positiveInteger, text } from "./form.ts";
import { listOfObjects, objectAt, rowsAt } from "./answers/response.ts";

/** Spec 2.4. */
export const walletFields = [
  { name: "accountNo", kind: "id", title: "account", role: "who" },
  { name: "accountName", kind: "text", title: "name", role: "what" },
  { name: "type", kind: "text", role: "detail" },
  { name: "balance", kind: "amount", role: "money" },
  { name: "currency", kind: "id", role: "money" },
  { name: "countryCode", kind: "id", title: "country", role: "detail" },
] as const satisfies readonly Field[];

/** Spec 2.5. */
export const walletBalanceFields = [
  { name: "availableBalance", kind: "amount", title: "available" },
  { name: "currentBalance", kind: "amount", title: "current" },
  { name: "accountStatus", kind: "text", title: "status" },
  { name: "accountNo", kind: "id", title: "account" },
  { name: "accountName", kind: "text", title: "name" },
  { name: "type", kind: "text" },
  { name: "currencyCode", kind: "id", title: "currency" },
  { name: "countryCode", kind: "id", title: "country" },
] as const satisfies readonly Field[];

/** Spec 2.6. */
export const walletEntryFields = [
  { name: "tranRefNo", kind: "id", title: "reference", role: "detail" },
  { name: "valueDate", kind: "time", title: "value date", role: "when", shortens: "day" },
  { name: "txnDate", kind: "time", title: "date", machineOnly: true },
  { name: "narration", kind: "text", role: "what" },
  { name: "debitOrCredit", kind: "id", title: "D/C", role: "detail" },
  { name: "amountCredited", kind: "amount", title: "credit", role: "money", side: "credit" },
  { name: "amountDebited", kind: "amount", title: "debit", role: "money", side: "debit" },
  { name: "balance", kind: "amount", role: "money" },
] as const satisfies readonly Field[];

/** Spec 4.9. */
export const listWallets = reads({
  name: "list wallets",
  spec: "4.9",
  method: "GET",
  path: "/wallet",
  auth: "A",
  availability: "everywhere",
  request: { schema: z.strictObject({}) },
  response: listOfObjects(),
});

/** Spec 4.8. */
export const walletBalance = reads({
  name: "wallet balance",
  spec: "4.8",
  method: "POST",
  path: "/wallet/balance",
  auth: "A",
  availability: "everywhere",
  request: { schema: z.strictObject({ accountNo: text }) },
  response: objectAt(),
});

/** Spec 4.6. */
export const walletStatement = readsRows({
  name: "wallet statement",
  spec: "4.6",
  method: "POST",
  path: "/wallet/statement",
  auth: "A",
  availability: "everywhere",
  request: { schema: z.strictObject({ accountNo: text, startDate: day, endDate: day }) },
  response: rowsAt(),
});

/** Spec 4.7. */
export const transfer = movesMoney({
  name: "transfer",
  spec: "4.7",
  method: "POST",
  path: "/transaction/transfer-local",
  auth: "A",
  availability: "everywhere",
  request: { schema: z.strictObject({ amount: positiveInteger, from: text, to: text, description: text }) },
  response: objectAt(),
  // Spec 2.7: the ids are the service's own; the echo identifies our request.
  receipt: {
    outcome: "accepted",
    ids: ["transactionId", "transactionRef"],
    echoes: { from: "from", to: "to", amount: "amount" },
    tagged: { answer: "narration", request: "description" },
    ours: { narration: "description" },
    reading: "spec 3",
  },
});

/** Spec 4.10. */
export const withdraw = movesMoney({
  name: "withdraw",
  spec: "4.10",
  method: "POST",
  path: "/transaction/withdraw",
  auth: "A",
  availability: "everywhere",
  request: {
    schema: z.strictObject({
      amount: positiveAmount,
      accountNo: text,
      transactionDate: day,
      narration: text,
      externalRef: text,
    }),
  },
  response: objectAt(),
  // Spec 2.9: paymentRef may be empty. Spec is silent on whether transactionRef is ours or theirs.
  receipt: {
    outcome: "accepted",
    ids: ["transactionId", "transactionRef"],
    echoes: { externalRef: "externalRef", amount: "amount" },
    ours: { externalRef: "externalRef", transactionRef: "externalRef" },
    reading: "spec 3",
  },
});
