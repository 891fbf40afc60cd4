import type { Movement } from "../../src/journal/movement.ts";
import type { World } from "../../src/simulator/world.ts";
import { Decimal } from "../../src/values/decimal.ts";
import type { JsonObject } from "../../src/values/json.ts";
import type { Order } from "./orders.ts";

/** What the auditor sees: the service's books and statements, and the journal; nothing of what anybody says. */
export interface Evidence {
  readonly world: World;
  readonly movements: readonly Movement[];
  readonly orders: readonly Order[];
}

const isRowOf: Readonly<Record<Order["kind"], (row: JsonObject, reference: string) => boolean>> = {
  transfer: ({ narration, debitOrCredit }, reference) =>
    debitOrCredit === "DR" && typeof narration === "string" && narration.endsWith(` [${reference}]`),
  withdraw: ({ tranRefNo, debitOrCredit }, reference) => debitOrCredit === "DR" && tranRefNo === reference,
  collect: ({ tranRefNo, debitOrCredit }, reference) => debitOrCredit === "CR" && tranRefNo === reference,
};

/**
 * How often money moved for an order: its rows in the statement of the wallet that pays, or is paid by a subscriber.
 */
export function timesMoved(world: World, { kind, reference, account }: Order): number {
  return world.wallet(account).entries.filter((row) => isRowOf[kind](row, reference)).length;
}

export function stateOf({ kind, reference }: Order, movements: readonly Movement[]): Movement["state"] | "nothing" {
  return movements.find((one) => one.kind === kind && one.reference === reference)?.state ?? "nothing";
}

/** States in which money may have moved; in all others it has not. */
const open: ReadonlySet<string> = new Set(["accepted", "pending", "unknown", "sending"]);

/** What is wrong with the books, the statements and the journal, each in a sentence; nothing when all is well. */
export function audit({ world, movements, orders }: Evidence): string[] {
  const wrong = Array.from(sumsOf(world), ([currency, sum]) =>
    sum.isZero ? "" : `${sum.toString()} ${currency} from nowhere`,
  );
  for (const order of orders) {
    const moved = timesMoved(world, order);
    const state = stateOf(order, movements);
    const fits = state === "accepted" ? moved === 1 : moved === 0 || (moved === 1 && open.has(state));
    if (!fits) wrong.push(`${order.kind} ${order.reference} is ${state} and moved money ${moved} times`);
  }
  const ordered = orders.reduce((sum, order) => sum + timesMoved(world, order), 0);
  const found = [...world.wallets.values()].reduce((sum, { entries }) => sum + entries.filter(isOrdered).length, 0);
  if (found !== ordered) wrong.push(`the statements have ${found} movements, and ${ordered} were ordered`);
  if (movements.length > orders.length) wrong.push(`the journal has ${movements.length} orders of ${orders.length}`);
  return wrong.filter((sentence) => sentence !== "");
}

/** Money is neither made nor lost: for each currency all lines of the books are zero together. */
function sumsOf(world: World): ReadonlyMap<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { currency, balance } of world.ledger())
    sums.set(currency, (sums.get(currency) ?? Decimal.zero).add(balance));
  return sums;
}

/** One row for each movement: not the fee's, and not the receiver's of a transfer. */
function isOrdered({ tranRefNo, narration, debitOrCredit }: JsonObject): boolean {
  if (typeof tranRefNo !== "string" || tranRefNo.endsWith("-PAYIN")) return false;
  return debitOrCredit === "DR" || !(typeof narration === "string" && / \[R-\d+\]$/.test(narration));
}
