import * as z from "zod/mini";
import { reads, readsRows } from "../endpoint.ts";
import { day, text } from "../form.ts";
import { objectAt, rowsAt } from "../answers/response.ts";

/** What these endpoints have in common; all but one are documented. */
const common = {
  spec: "none",
  extension: { name: "wallets", known: "documented" },
  auth: "A",
  availability: "everywhere",
} as const;

/** A period for the disbursement or the collection wallet, which need no number. One client also sends a `walletId`. */
const period = { schema: z.strictObject({ startDate: day, endDate: day, walletId: z.optional(text) }) };
/** Clients send no body, `{}` or `[]`. */
const nothing = { schema: z.strictObject({}) };

export const mainBalance = reads({
  name: "main balance",
  ...common,
  extension: { name: "wallets", known: "seen in clients" },
  method: "POST",
  path: "/wallet/main-balance",
  request: nothing,
  response: objectAt(),
});

export const collectionBalance = reads({
  name: "collection balance",
  ...common,
  method: "POST",
  path: "/wallet/collection-balance",
  request: nothing,
  response: objectAt(),
});

export const mainStatement = readsRows({
  name: "main statement",
  ...common,
  method: "POST",
  path: "/wallet/main-statement",
  request: period,
  response: rowsAt(),
});

export const collectionStatement = readsRows({
  name: "collection statement",
  ...common,
  method: "POST",
  path: "/wallet/collection-statement",
  request: period,
  response: rowsAt(),
});

/** One wallet, as in the list of wallets. */
export const oneWallet = reads({
  name: "one wallet",
  ...common,
  method: "GET",
  path: "/wallet/{accountNo}",
  request: { schema: z.strictObject({ accountNo: text }), places: { accountNo: "path" } },
  response: objectAt(),
});
