import { dayInDarEsSalaam } from "../values/time/day.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { MovementKind, MovementState } from "./movement.ts";
import { leavingAmounts, requestOf } from "./requests/movement-request.ts";
import { textColumn } from "./history/row.ts";
import { DamageError } from "../storage/failures.ts";

/**
 * Exact sums by currency; `wallet NUMBER` for amounts in that wallet's own currency, which the request doesn't name.
 */
export type CurrencySums = ReadonlyMap<string, Decimal>;
export const noSums: CurrencySums = new Map();
const walletPrefix = "wallet ";

/** The wallet whose own currency a sum is in; undefined where the currency is named. */
export function walletOfSum(key: string): string | undefined {
  return key.startsWith(walletPrefix) ? key.slice(walletPrefix.length) : undefined;
}

/** What one order adds to what left an account on a day, or takes away from it again. */
export interface Spending {
  /** The account, as `accountScope` names it. */
  readonly scope: string;
  /** The day in Dar es Salaam on which it was ordered: `YYYY-MM-DD`. */
  readonly day: string;
  readonly sums: CurrencySums;
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

/** What an order counts towards the limit of its day; undefined for one that sends nothing out, or sent nothing. */
export function spendingOf({ scope, kind, state, request, openedAt }: Counted): Spending | undefined {
  if (!spentStates.has(state)) return undefined;
  const sums = weighLeaving(kind, requestOf({ request }));
  return sums.size === 0 ? undefined : { scope, day: dayInDarEsSalaam(openedAt).toString(), sums };
}

/** What leaves with an order, in each currency that it names: the larger side where both are in one. */
export function weighLeaving(kind: MovementKind, request: object): CurrencySums {
  const sums = new Map<string, Decimal>();
  for (const { amount, currency, wallet = "" } of leavingAmounts(kind, request)) {
    const key = currency ?? walletPrefix + wallet;
    const other = sums.get(key);
    if (other === undefined || other.compare(amount) < 0) sums.set(key, amount);
  }
  return sums;
}

/** The same with the opposite sign. */
export function takeBack({ scope, day, sums }: Spending): Spending {
  return { scope, day, sums: new Map([...sums].map(([currency, amount]) => [currency, amount.negate()])) };
}

/** Two sums as one. */
export function addSums(one: CurrencySums, other: CurrencySums): CurrencySums {
  const all = new Map(one);
  addTo(all, other);
  return all;
}

/** Adds further sums to those that grow. */
export function addTo(sums: Map<string, Decimal>, more: CurrencySums): void {
  for (const [currency, amount] of more) sums.set(currency, (sums.get(currency) ?? Decimal.zero).add(amount));
}

/**
 * A stored sum of one currency.
 * @throws {DamageError}
 */
export function sumIn(record: unknown): CurrencySums {
  const amount = Decimal.parse(textColumn(record, "amount"));
  if (amount === undefined) throw new DamageError("a sum of it isn't a number");
  return new Map([[textColumn(record, "currency"), amount]]);
}
