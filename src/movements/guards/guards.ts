import type { ClaimCheck, Journal } from "../../journal/journal.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { receiverOf } from "../../journal/requests/movement-request.ts";
import { movementNouns } from "../../journal/movement.ts";
import type { CurrencySums } from "../../journal/spending.ts";
import { noSums } from "../../journal/spending.ts";
import type { Days } from "../../values/time/service-clock.ts";
import { Failure } from "../../values/failure.ts";
import { shellWord } from "../../values/text/command-words.ts";
import type { Limits } from "../../values/money/limits.ts";
import { nameCurrencies } from "../../values/money/limits.ts";
import { allowedEntry, receiverViolation } from "./allowed-receivers.ts";
import type { CurrencyOfWallet } from "./limits.ts";
import { dayLimitViolation, isLimited, transferLimitViolation } from "./limits.ts";
import type { MoneyOrder } from "../order.ts";

/** The limits of a profile. */
export interface MoneyGuards {
  /** The profile; undefined where none is in use, and nothing is limited. */
  readonly profile: string | undefined;
  readonly transferMax: Limits | undefined;
  readonly dayMax: Limits | undefined;
  readonly allowTo: readonly string[] | undefined;
}

export interface GuardContext {
  readonly guards: MoneyGuards;
  readonly scope: string;
  /** The days that it may be. An order counts for the one by this machine's clock. */
  readonly days: Days;
  /**
   * The currencies of the account's wallets, read where a limit names a currency; undefined where the service isn't
   * asked.
   */
  readonly currencies: () => Promise<CurrencyOfWallet | undefined>;
}

/**
 * Refuses an order that breaks a limit of the profile, before a person is asked about it. An order with an outcome is
 * not refused: nothing is sent for it.
 * @throws {Failure} usage; names every limit that it breaks | what keeps the currencies from being known
 */
export async function checkGuards(
  order: MoneyOrder,
  context: GuardContext,
  openJournal: () => Promise<Journal>,
): Promise<void> {
  const guard = await guardOf(order, context);
  if (guard === undefined) return;
  const { kind, reference } = order;
  const { scope } = context;
  const journal = await openJournal();
  const before = await journal.find({ scope, kind, reference });
  if (before !== undefined && before.state !== "unsent" && before.state !== "refused") return;
  guard.decide(guard.day === undefined ? noSums : await journal.spent(scope, guard.day));
}

/**
 * The same check within the claim: orders that others have placed since the first check count, too. Undefined where
 * nothing is limited.
 * @throws {Failure} what keeps the currencies from being known
 */
export async function guardOf(order: MoneyOrder, context: GuardContext): Promise<ClaimCheck | undefined> {
  const { guards, days } = context;
  if (!isGuarded(guards) || movementForms[order.kind].direction !== "leaves") return undefined;
  const currencyOf = needsCurrencies(guards) ? await context.currencies() : undefined;
  return {
    day: guards.dayMax === undefined ? undefined : days.earliest,
    decide: (spent) => judge(order, guards, spent, { currencyOf, days }),
  };
}

/** True where a limit depends on the currency of a wallet. */
export function needsCurrencies({ transferMax, dayMax }: MoneyGuards): boolean {
  return nameCurrencies(transferMax) || nameCurrencies(dayMax);
}

/** How to see how wrong this machine's clock is. */
export const clockHint = "See how far it is off: partner doctor";

/** What limits are judged by, besides the sums. */
interface Grounds {
  readonly currencyOf: CurrencyOfWallet | undefined;
  readonly days: Days;
}

/** A limit that an order breaks. */
export interface GuardViolation {
  readonly limit: "limit.transfer" | "limit.day" | "allow.to";
  readonly problem: string;
  /** True where this machine's clock is at fault, and not the order. */
  readonly isOfClock: boolean;
}

/** The limits that an order breaks, given the sums that left earlier today. */
export function guardViolations(
  { kind, input }: MoneyOrder,
  { transferMax, dayMax, allowTo }: MoneyGuards,
  spent: CurrencySums,
  { currencyOf, days }: Grounds,
): readonly GuardViolation[] {
  const ofDay = dayMax && { kind, input, limits: dayMax, currencyOf };
  const ofClock = ofDay !== undefined && isLimited(ofDay) ? clockViolation(days) : undefined;
  const found = [
    ["limit.transfer", transferMax && transferLimitViolation({ kind, input, limits: transferMax, currencyOf })],
    ["limit.day", ofClock ?? (ofDay && dayLimitViolation(ofDay, spent))],
    ["allow.to", allowTo && receiverViolation(kind, receiverOf(kind, input), allowTo)],
  ] as const;
  return found.flatMap(([limit, problem]) =>
    problem === undefined ? [] : [{ limit, problem, isOfClock: limit === "limit.day" && ofClock !== undefined }],
  );
}

/**
 * Why no order with a limit for its day may leave. An order that counts for a day that is over would leave room for
 * another one on the day on which both leave. Where this machine's clock is ahead, the service's day counts as well.
 */
function clockViolation({ own, latest }: Days): string | undefined {
  if (latest.compare(own) <= 0) return undefined;
  return `what leaves now would count for ${own.toString()}, and by the service's clock it is ${latest.toString()}: set this machine's clock`;
}

function judge(order: MoneyOrder, guards: MoneyGuards, spent: CurrencySums, grounds: Grounds): void {
  const { kind, reference } = order;
  const violations = guardViolations(order, guards, spent, grounds);
  const [first] = violations;
  if (first === undefined) return;
  const { profile = "NAME" } = guards;
  const broken = violations.map(({ limit }) => limit).join(" and ");
  throw new Failure(
    "usage",
    `${broken} of profile ${profile} ${violations.length === 1 ? "stops" : "stop"} this ${movementNouns[kind]}; nothing was sent.`,
    {
      hint: first.isOfClock ? clockHint : `See the limits: partner profile show. ${wayOut(order, guards, first.limit)}`,
      money: "not moved",
      reference,
      details: Object.fromEntries(violations.map(({ limit, problem }) => [limit, problem])),
    },
  );
}

/** A change of `allow.to` sets the whole list, so the command has all of it. */
function wayOut({ kind, input }: MoneyOrder, { profile = "NAME", allowTo = [] }: MoneyGuards, broken: string): string {
  const receiver = broken === "allow.to" ? receiverOf(kind, input) : undefined;
  if (receiver === undefined) return `Change one: partner profile set ${profile} ${broken}=VALUE`;
  const entry = allowedEntry(kind, receiver);
  if (entry === undefined) return "allow.to cannot name an account with spaces or commas: check it.";
  const list = shellWord([...allowTo, entry].join(","));
  return `To allow this receiver, too: partner profile set ${profile} allow.to=${list}`;
}

/** True where the profile has any limit. */
export function isGuarded({ transferMax, dayMax, allowTo }: MoneyGuards): boolean {
  return transferMax !== undefined || dayMax !== undefined || allowTo !== undefined;
}
