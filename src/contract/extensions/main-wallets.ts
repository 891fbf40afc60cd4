import * as z from "zod/mini";
import { reads, readsRows } from "../endpoint.ts";
import { day, text } from "../form.ts";
import { objectAt, rowsAt } from "../response.ts";

/** The disbursement wallet and the collection wallet, without their numbers. One client also sends a `walletId`. */
const period = { schema: z.strictObject({ startDate: day, endDate: day, walletId: z.optional(text) }) };
/** Clients send nothing, `{}` or `[]`. */
const nothing = { schema: z.strictObject({}) };

export const mainBalance = reads({
  name: "main balance",
  spec: "none",
  extension: { name: "wallets", known: "seen in clients" },
  method: "POST",
  path: "/wallet/main-balance",
  auth: "A",
  availability: "everywhere",
  request: nothing,
  response: objectAt(),
});

export const collectionBalance = reads({
  name: "collection balance",
  spec: "none",
  extension: { name: "wallets", known: "documented" },
  method: "POST",
  path: "/wallet/collection-balance",
  auth: "A",
  availability: "everywhere",
  request: nothing,
  response: objectAt(),
});

export const mainStatement = readsRows({
  name: "main statement",
  spec: "none",
  extension: { name: "wallets", known: "documented" },
  method: "POST",
  path: "/wallet/main-statement",
  auth: "A",
  availability: "everywhere",
  request: period,
  response: rowsAt(),
});

export const collectionStatement = readsRows({
  name: "collection statement",
  spec: "none",
  extension: { name: "wallets", known: "documented" },
  method: "POST",
  path: "/wallet/collection-statement",
  auth: "A",
  availability: "everywhere",
  request: period,
  response: rowsAt(),
});

/** One wallet as the list of wallets has it. */
export const oneWallet = reads({
  name: "one wallet",
  spec: "none",
  extension: { name: "wallets", known: "documented" },
  method: "GET",
  path: "/wallet/{accountNo}",
  auth: "A",
  availability: "everywhere",
  request: { schema: z.strictObject({ accountNo: text }), places: { accountNo: "path" } },
  response: objectAt(),
});
