import type { Movement } from "../../src/journal/movement.ts";
import { stateOf } from "./auditor.ts";
import type { Operator } from "./operator.ts";
import type { Order } from "./orders.ts";
import { fair } from "./town.ts";

const openCollectionMs = 15 * 60_000;
const openStates: ReadonlySet<string> = new Set(["unknown", "sending", "prepared", "pending"]);
const unusedStates: ReadonlySet<string> = new Set(["nothing", "unsent", "refused"]);

/** A person who does not know the outcome of a payment types it again, under a new reference. */
export async function payAgain(operator: Operator): Promise<void> {
  const order = await unclearOrder(operator);
  const twin = operator.sameOrder(order);
  const isOpen = isOpenIn(order, await operator.movements(), operator.town.now());
  await operator.order(twin, operator.accident());
  if (!isOpen) return;
  if (operator.moved(twin) > 0) operator.wrong.push(`${order.reference} was open, and ${twin.reference} paid it again`);
  // They look it up, and insist if the outcome stays unknown.
  await operator.resolveAll(fair);
  if (!isOpenIn(order, await operator.movements(), operator.town.now())) return;
  await operator.order({ ...twin, words: [...twin.words, "--again"] }, fair);
  if (operator.moved(twin) > 1) operator.wrong.push(`${twin.reference} was insisted on, and paid more than once`);
}

/** One of their orders, usually one whose answer was just lost. */
async function unclearOrder(operator: Operator): Promise<Order> {
  if (operator.town.draw.integer(1, 3) === 1) return operator.oldOrder();
  const order = operator.newOrder();
  await operator.order(order, { ...fair, fault: "lose-answer=money:1" });
  return order;
}

/** The reference of a payment is typed in lower case. */
export async function retype(order: Order, operator: Operator): Promise<void> {
  const typed = operator.sameOrder(order, order.reference.toLowerCase());
  if (typed === order) return;
  const movements = await operator.movements();
  const isSlip = isUsedIn(order, movements) && !isUsedIn(typed, movements);
  const movedBefore = operator.moved(typed);
  await operator.order(typed, operator.accident());
  if (isSlip && operator.moved(typed) > movedBefore)
    operator.wrong.push(`${typed.reference} was sent, although ${order.reference} is used`);
}

function isUsedIn(order: Order, movements: readonly Movement[]): boolean {
  return !unusedStates.has(stateOf(order, movements));
}

function isOpenIn({ kind, reference }: Order, movements: readonly Movement[], nowMs: number): boolean {
  const found = movements.find((one) => one.kind === kind && one.reference === reference);
  if (found === undefined || !openStates.has(found.state)) return false;
  return kind !== "collect" || nowMs - found.openedAt < openCollectionMs;
}
