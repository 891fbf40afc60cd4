import { dayInDarEsSalaam } from "../values/day.ts";
import { Decimal } from "../values/decimal.ts";
import type { MovementKind, MovementState } from "./movement.ts";
import { leavingAmounts, requestOf } from "./movement-kinds.ts";

/** Exact sums by currency; `""` stands for amounts whose request names no currency. */
export type Sums = ReadonlyMap<string, Decimal>;

/** What one order adds to what left an account on a day, or takes away from it again. */
export interface Spending {
  /** The account, as `accountScope` names it. */
  readonly scope: string;
  /** The day in Dar es Salaam on which it was ordered: `YYYY-MM-DD`. */
  readonly day: string;
  readonly sums: Sums;
}

/** States in which money left, or may have. */
const spentStates: ReadonlySet<string> = new Set([
  "prepared",
  "sending",
  "accepted",
  "pending",
  "unknown",
] satisfies MovementState[]);

interface Counted {
  readonly scope: string;
  readonly kind: MovementKind;
  readonly state: string;
  readonly request: string;
  readonly openedAt: number;
}

/** What an order counts for in the limit of its day; undefined for one that moves nothing out, or didn't. */
export function spendingOf({ scope, kind, state, request, openedAt }: Counted): Spending | undefined {
  if (!spentStates.has(state)) return undefined;
  const sums = weighLeaving(kind, requestOf({ request }));
  return sums.size === 0 ? undefined : { scope, day: dayInDarEsSalaam(openedAt).toString(), sums };
}

/** What leaves with an order, in each currency that it names: the larger side where both are in one. */
export function weighLeaving(kind: MovementKind, request: object): Sums {
  const sums = new Map<string, Decimal>();
  for (const { amount, currency = "" } of leavingAmounts(kind, request)) {
    const other = sums.get(currency);
    if (other === undefined || other.compare(amount) < 0) sums.set(currency, amount);
  }
  return sums;
}

/** The same with the opposite sign. */
export function takeBack({ scope, day, sums }: Spending): Spending {
  return { scope, day, sums: new Map([...sums].map(([currency, amount]) => [currency, amount.negate()])) };
}

/** Two sums as one. */
export function addSums(one: Sums, other: Sums): Sums {
  const all = new Map(one);
  for (const [currency, amount] of other) all.set(currency, (all.get(currency) ?? Decimal.zero).add(amount));
  return all;
}
