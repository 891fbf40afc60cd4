import { decodeJson } from "../contract/wire.ts";
import type { Journal } from "../journal/journal.ts";
import type { MovementState } from "../journal/movement.ts";
import { movementNouns } from "../journal/movement.ts";
import { amountOf } from "../values/amount.ts";
import type { Day } from "../values/day.ts";
import { startOfDayInDarEsSalaam } from "../values/day.ts";
import { Decimal } from "../values/decimal.ts";
import { Failure } from "../values/failure.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import type { MoneyOrder } from "./order.ts";

/** What a profile lets happen to money. */
export interface MoneyGuards {
  readonly transferMax: Decimal | undefined;
  readonly dayMax: Decimal | undefined;
  readonly allowTo: readonly string[] | undefined;
}

export interface GuardScene {
  readonly guards: MoneyGuards;
  readonly journal: Journal;
  readonly scope: string;
  readonly today: Day;
}

/** Kinds by which money leaves, and the field of its amount. */
const leaving = { transfer: "amount", withdraw: "amount", remit: "receiverAmount" } as const;
type Leaving = keyof typeof leaving;
/** States in which money left, or may have. */
const spentStates: readonly MovementState[] = ["prepared", "sending", "accepted", "pending", "unknown"];

/**
 * Stops an order that the profile does not let happen, before anything is sent. Amounts are compared as they are,
 * whatever their currency. An order that has an outcome already is not stopped: nothing is sent for it.
 * @throws {Failure} usage; names every limit that it breaks
 */
export async function checkGuards(order: MoneyOrder, { guards, journal, scope, today }: GuardScene): Promise<void> {
  const { kind, reference } = order;
  if (!isLeaving(kind)) return;
  const before = await journal.find({ scope, kind, reference });
  if (before !== undefined && spentStates.includes(before.state)) return;
  const amount = amountIn(order.input, leaving[kind]);
  const faults: Record<string, string> = {};
  const { transferMax, dayMax, allowTo } = guards;
  if (transferMax !== undefined && amount.compare(transferMax) > 0)
    faults["limit.transfer"] = `${amount.grouped(2)} is more than ${transferMax.grouped(2)}`;
  if (dayMax !== undefined) {
    const spent = await spentToday(journal, scope, today);
    if (spent.add(amount).compare(dayMax) > 0)
      faults["limit.day"] =
        `${spent.grouped(2)} left today already, and ${amount.grouped(2)} more is beyond ${dayMax.grouped(2)}`;
  }
  const to = receiverOf(order);
  if (allowTo !== undefined && to !== undefined && !allowTo.includes(to))
    faults["allow.to"] = `${to} is none of ${allowTo.join(", ")}`;
  if (Object.keys(faults).length === 0) return;
  throw new Failure("usage", `The profile does not let this ${movementNouns[kind]} happen; nothing was sent.`, {
    hint: "See its limits: partner profile show. Change one: partner profile set NAME limit.transfer=AMOUNT",
    money: "not moved",
    reference,
    details: faults,
  });
}

async function spentToday(journal: Journal, scope: string, today: Day): Promise<Decimal> {
  let spent = Decimal.zero;
  const kinds = Object.keys(leaving).filter(isLeaving);
  for await (const movement of journal.list({
    scope,
    kinds,
    states: spentStates,
    since: startOfDayInDarEsSalaam(today),
  })) {
    const { kind, request } = movement;
    const body = decodeJson(request);
    if (isLeaving(kind) && isJsonObject(body)) spent = spent.add(amountIn(body, leaving[kind]));
  }
  return spent;
}

function receiverOf({ kind, input }: MoneyOrder): string | undefined {
  const name = kind === "transfer" ? "to" : kind === "remit" ? "receiverAccount" : undefined;
  const value: unknown = name === undefined ? undefined : Reflect.get(input, name);
  return typeof value === "string" ? value : undefined;
}

function amountIn(input: object, name: string): Decimal {
  const value: JsonValue | undefined = Reflect.get(input, name);
  return amountOf(value) ?? Decimal.zero;
}

function isLeaving(kind: string): kind is Leaving {
  return Object.hasOwn(leaving, kind);
}
