import type { Guard, Journal, MovementFilter } from "../journal/journal.ts";
import { leavingAmounts, movementForms, receiverOf, requestOf } from "../journal/movement-kinds.ts";
import type { Movement, MovementKind, MovementState } from "../journal/movement.ts";
import { movementKinds, movementNouns } from "../journal/movement.ts";
import type { Day } from "../values/day.ts";
import { startOfDayInDarEsSalaam } from "../values/day.ts";
import { Decimal } from "../values/decimal.ts";
import { Failure } from "../values/failure.ts";
import type { MoneyOrder } from "./order.ts";

/** What a profile lets happen to money. */
export interface MoneyGuards {
  readonly transferMax: Decimal | undefined;
  readonly dayMax: Decimal | undefined;
  readonly allowTo: readonly string[] | undefined;
}

export interface GuardScene {
  readonly guards: MoneyGuards;
  readonly scope: string;
  readonly today: Day;
}

const leavingKinds = movementKinds.filter(isLeaving);
/** States in which money left, or may have. */
const spentStates: readonly MovementState[] = ["prepared", "sending", "accepted", "pending", "unknown"];

/**
 * Stops an order that the profile does not let happen, before anybody is asked about it. Amounts are compared as they
 * are, whatever their currency. An order that has an outcome already is not stopped: nothing is sent for it.
 * @throws {Failure} usage; names every limit that it breaks
 */
export async function checkGuards(order: MoneyOrder, scene: GuardScene, journal: Journal): Promise<void> {
  const { kind, reference } = order;
  if (!isLeaving(kind)) return;
  const before = await journal.find({ scope: scene.scope, kind, reference });
  if (before !== undefined && spentStates.includes(before.state)) return;
  judge(order, scene.guards, await spentToday(scene, journal));
}

/**
 * The same while the order is taken hold of: what others have ordered since the first look counts, too. Undefined where
 * nothing is limited.
 */
export function guardOf(order: MoneyOrder, scene: GuardScene): Guard | undefined {
  const { guards } = scene;
  const isFree = Object.values(guards).every((limit) => limit === undefined);
  if (isFree || !isLeaving(order.kind)) return undefined;
  return { looksAt: spentOn(scene), weigh: amountLeft, decide: (spent) => judge(order, guards, spent) };
}

/** What left today, or may have; nothing is read where it makes no difference. */
function spentOn({ guards, scope, today }: GuardScene): MovementFilter {
  const states = guards.dayMax === undefined ? [] : spentStates;
  return { scope, kinds: leavingKinds, states, since: startOfDayInDarEsSalaam(today) };
}

function judge(order: MoneyOrder, guards: MoneyGuards, spent: Decimal): void {
  const { kind, reference } = order;
  const faults = guardFaults(order, guards, spent);
  if (Object.keys(faults).length === 0) return;
  throw new Failure("usage", `The profile does not let this ${movementNouns[kind]} happen; nothing was sent.`, {
    hint: "See its limits: partner profile show. Change one: partner profile set NAME limit.transfer=AMOUNT",
    money: "not moved",
    reference,
    details: faults,
  });
}

/** The limits that an order breaks, each with how, where so much left today before it. */
export function guardFaults(
  order: MoneyOrder,
  { transferMax, dayMax, allowTo }: MoneyGuards,
  spent: Decimal,
): Readonly<Record<string, string>> {
  const amount = leavingAmount(order);
  const faults: Record<string, string> = {};
  if (!isLeaving(order.kind)) return faults;
  if (transferMax !== undefined && amount.compare(transferMax) > 0)
    faults["limit.transfer"] = `${amount.grouped(2)} is more than ${transferMax.grouped(2)}`;
  if (dayMax !== undefined && spent.add(amount).compare(dayMax) > 0)
    faults["limit.day"] =
      `${spent.grouped(2)} left today already, and ${amount.grouped(2)} more is beyond ${dayMax.grouped(2)}`;
  const to = receiverOf(order.kind, order.input)?.account;
  if (allowTo !== undefined && to !== undefined && !allowTo.includes(to))
    faults["allow.to"] = `${to} is none of ${allowTo.join(", ")}`;
  return faults;
}

/** What leaves with an order; zero for one that brings money in. */
export function leavingAmount({ kind, input }: MoneyOrder): Decimal {
  return leavingAmounts(kind, input)[0]?.amount ?? Decimal.zero;
}

/** What left today, or may have, as far as a limit makes it worth knowing. */
export async function spentToday(scene: GuardScene, journal: Journal): Promise<Decimal> {
  let spent = Decimal.zero;
  for await (const movement of journal.list(spentOn(scene))) spent = spent.add(amountLeft(movement));
  return spent;
}

function amountLeft(movement: Movement): Decimal {
  return leavingAmounts(movement.kind, requestOf(movement))[0]?.amount ?? Decimal.zero;
}

function isLeaving(kind: MovementKind): boolean {
  return movementForms[kind].direction === "leaves";
}
