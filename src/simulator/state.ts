import * as z from "zod/mini";
import { decodeJson } from "../contract/wire.ts";
import type { Files } from "../host/files/files.ts";
import { amountOf } from "../values/money/amount.ts";
import { Decimal } from "../values/money/decimal.ts";
import { Failure } from "../values/failure.ts";
import { Numeral } from "../values/json.ts";
import { Prng } from "./prng.ts";
import type { MerchantAccount } from "./books/merchant-account.ts";
import { remittanceStates } from "./outcomes.ts";
import { firstFault, seedSchema } from "./demo/seed.ts";
import { startFailure } from "./start-failures.ts";
import type { Wallet } from "./books/wallet.ts";
import { World } from "./world.ts";

const stateMaxBytes = 256 * 1024 * 1024;
const stateMode = 0o600;

const text = z.string();
const whole = z.pipe(
  z.custom<Numeral>((value) => value instanceof Numeral && /^-?\d{1,15}$/.test(value.text), "must be a whole number"),
  z.transform((numeral: Numeral) => Number(numeral.text)),
);
const amount = z.pipe(
  z.custom<Numeral>((value) => value instanceof Numeral && amountOf(value) instanceof Decimal, "must be a number"),
  z.transform((numeral: Numeral) => amountOf(numeral) ?? Decimal.zero),
);
const remittanceState = z.enum(remittanceStates);

const booking = z.strictObject({
  endpoint: z.enum(["transfer", "withdraw", "collect", "payout"]),
  account: text,
  to: z.optional(text),
  amount: text,
  reference: text,
  transactionId: text,
  rowReference: text,
  narration: text,
});
const look = z.strictObject({ reference: text, narration: text, isNegative: z.boolean() });

const job = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("settle"), atMs: whole, transactionRef: text }),
  z.strictObject({ kind: z.literal("pay"), atMs: whole, transactionRef: text }),
  z.strictObject({ kind: z.literal("advance"), atMs: whole, partnerReference: text, state: remittanceState }),
  z.strictObject({ kind: z.literal("rebook"), atMs: whole, way: z.enum(["back", "forth"]), booking, look }),
  z.strictObject({
    kind: z.literal("post"),
    atMs: whole,
    url: text,
    body: text,
    failures: whole,
    of: z.optional(z.literal("payout")),
  }),
]);

/** A state file: the accounts and their rows (a seed), and everything that rows don't show. */
const stateSchema = z.strictObject({
  simulator: z.custom<Numeral>((value) => value instanceof Numeral && value.text === "1", "must be 1"),
  seedNumber: whole,
  draw: whole,
  savedAtMs: whole,
  world: seedSchema,
  ledger: z.array(
    z.strictObject({
      kind: z.enum(["main account", "fees", "outside", "backing"]),
      name: text,
      currency: text,
      balance: amount,
    }),
  ),
  collections: z.array(
    z.strictObject({
      transactionRef: text,
      transactionId: text,
      msisdn: text,
      amount: text,
      narration: text,
      transactionDate: text,
      callbackUrl: text,
      statusCode: text,
      currency: z.optional(z.literal("KES")),
    }),
  ),
  remittances: z.array(
    z.strictObject({
      partnerReference: text,
      callbackUrl: text,
      receiverAmount: text,
      state: remittanceState,
      createdAt: text,
      updatedAt: text,
    }),
  ),
  // Files of version 0.1.0 have none.
  payouts: z.optional(
    z.array(
      z.strictObject({
        transactionRef: text,
        transactionId: text,
        accountNo: text,
        msisdn: text,
        amount: text,
        narration: text,
        callbackUrl: text,
        statusCode: text,
      }),
    ),
  ),
  chores: z.array(job),
});

/** A saved world, and when it was saved. */
export interface SavedWorld {
  readonly world: World;
  readonly savedAtMs: number;
}

/**
 * The world in the state file; undefined where there is none yet. A damaged file is left as it is.
 * @throws {Failure} setup
 */
export async function loadState(files: Files, path: string): Promise<SavedWorld | undefined> {
  if ((await files.facts(path)) === undefined) return undefined;
  const result = stateSchema.safeParse(await readDocument(files, path));
  if (!result.success) throw damaged(path, firstFault(result.error));
  const state = result.data;
  const world = new World(state.world, state.seedNumber, new Prng(state.draw));
  if (!world.restoreLedger(state.ledger)) throw damaged(path, "its books don't add up");
  for (const collection of state.collections) world.collections.set(collection.transactionRef, collection);
  for (const remittance of state.remittances) world.remittances.set(remittance.partnerReference, remittance);
  for (const payout of state.payouts ?? []) world.payouts.set(payout.transactionRef, payout);
  for (const one of state.chores) world.chores.add(one);
  return { world, savedAtMs: state.savedAtMs };
}

/** Replaces the state file as a whole: a kill or a full disk leaves the old one. */
export async function saveState(files: Files, path: string, world: World, nowMs: number): Promise<void> {
  const draft = await files.draft(path, stateMode);
  try {
    await draft.write(encodeState(world, nowMs));
    await draft.commit();
  } finally {
    await draft.abandon();
  }
}

function encodeState(world: World, nowMs: number): string {
  return JSON.stringify({
    simulator: 1,
    seedNumber: world.seedNumber,
    draw: world.draw.state,
    savedAtMs: nowMs,
    world: {
      wallets: Array.from(world.wallets.values(), seedOf),
      accounts: Array.from(world.accounts.values(), seedOf),
    },
    ledger: world.ledger().filter(({ kind }) => kind !== "wallet" && kind !== "merchant account"),
    collections: [...world.collections.values()],
    remittances: [...world.remittances.values()],
    payouts: [...world.payouts.values()],
    chores: [...world.chores],
  });
}

function seedOf({ name, opening, entries }: Wallet | MerchantAccount): object {
  return { ...name, opening, entries };
}

async function readDocument(files: Files, path: string): Promise<unknown> {
  try {
    return decodeJson(new TextDecoder("utf-8", { fatal: true }).decode(await files.read(path, stateMaxBytes)));
  } catch (error) {
    throw damaged(path, startFailure(error));
  }
}

function damaged(path: string, problem: string): Failure {
  return new Failure("setup", `The simulator's state file ${path} can't be used: ${problem}.`, {
    hint: "Put a good copy in its place, or begin again with another file: partner simulator start --state NEW-FILE",
  });
}
