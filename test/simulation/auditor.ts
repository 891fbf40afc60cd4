import type { Movement } from "../../src/journal/movement.ts";
import type { Booking } from "../../src/simulator/books/booking.ts";
import type { World } from "../../src/simulator/world.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { Order } from "./orders.ts";

/** The auditor sees the service's books and statements, and the journal, but no output of the program. */
export interface Evidence {
  readonly world: World;
  readonly movements: readonly Movement[];
  readonly orders: readonly Order[];
  /** Orders that the journal has lost: it may still have their earlier state. */
  readonly forgotten: ReadonlySet<Order>;
}

/** How often money moved for an order according to the service's books; a reversed payment has moved. */
export function timesMoved(world: World, order: Order): number {
  return bookingsOf(world, order).length;
}

/** True if money moved for an order and was returned. */
export function isTakenBack(world: World, order: Order): boolean {
  return bookingsOf(world, order).some((booking) => world.bookings.get(booking) === 0);
}

function bookingsOf({ bookings }: World, { kind, reference, account }: Order): readonly Booking[] {
  return [...bookings.keys()].filter(
    (one) => one.endpoint === kind && one.reference === reference && one.account === account,
  );
}

/** The order's state in the journal, or `nothing`. */
export function stateOf({ kind, reference }: Order, movements: readonly Movement[]): string {
  return movements.find((one) => one.kind === kind && one.reference === reference)?.state ?? "nothing";
}

/** States in which money may have moved; in all other states except these and the next ones it has not. */
const open: ReadonlySet<string> = new Set(["pending", "unknown", "sending"]);
const mustHaveMoved: ReadonlySet<string> = new Set(["accepted", "reversed"]);

/** True if the journal's state of an order can be true. */
export function isTrue(order: Order, { world, movements }: Pick<Evidence, "world" | "movements">): boolean {
  const moved = timesMoved(world, order);
  const state = stateOf(order, movements);
  return mustHaveMoved.has(state) ? moved === 1 : moved === 0 || (moved === 1 && open.has(state));
}

/** What is wrong with books, statements and journal, one sentence each; empty if all is well. */
export function audit({ world, movements, orders, forgotten }: Evidence): string[] {
  const wrong = Array.from(sumsOf(world), ([currency, sum]) =>
    sum.isZero ? "" : `${sum.toString()} ${currency} from nowhere`,
  );
  for (const order of orders) {
    const moved = timesMoved(world, order);
    const state = stateOf(order, movements);
    const isLost = forgotten.has(order) && moved === 1 && !mustHaveMoved.has(state);
    if (state === "reversed" && !isTakenBack(world, order))
      wrong.push(`${order.kind} ${order.reference} is reversed, and its money is not back`);
    if (!isLost && !isTrue(order, { world, movements }))
      wrong.push(`${order.kind} ${order.reference} is ${state} and moved money ${moved} times`);
  }
  const ordered = orders.reduce((sum, order) => sum + timesMoved(world, order), 0);
  const booked = world.bookings.size;
  if (booked !== ordered) wrong.push(`the service booked ${booked} orders, and ${ordered} were given`);
  if (movements.length > orders.length) wrong.push(`the journal has ${movements.length} orders of ${orders.length}`);
  return wrong.filter((sentence) => sentence !== "");
}

/** Money is neither created nor lost: the books of each currency add up to zero. */
function sumsOf(world: World): ReadonlyMap<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { currency, balance } of world.ledger())
    sums.set(currency, (sums.get(currency) ?? Decimal.zero).add(balance));
  return sums;
}
