import type { Around } from "../../journal/journal.ts";
import type { Movement, MovementKind, MovementState } from "../../journal/movement.ts";
import { isInFlight, movementNouns } from "../../journal/movement.ts";
import { accountIn, accountsLike } from "../../journal/account-name.ts";
import { nearness } from "../../journal/lookups/order-keys.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import type { MoneyOrder } from "../order.ts";

const hourMs = 60 * 60_000;
/** How long an accepted order is mentioned when a similar one follows, by default. */
export const likeWindowMs = 24 * hourMs;
/** By then the prompt on the subscriber's phone has expired: a new collection isn't a second payment by itself. */
const openCollectionMs = hourMs / 4;

/** The flag by which a person confirms a repeat. */
export type RepeatFlag = "--again" | "--allow-repeats";

/** The parts of a new order that others are compared by. */
export type ComparedOrder = Pick<MoneyOrder, "kind" | "reference">;

/** Which orders count as repeats. */
export interface RepeatContext {
  /** The account, as `accountScope` names it. */
  readonly scope: string;
  readonly nowMs: number;
  /** How many milliseconds ago an accepted order may be, to be mentioned; 0: never. */
  readonly windowMs: number;
}

/** Signs that an order could be a second payment for the same thing, the most serious ones first. */
export interface Repeats {
  /** Most likely a typing error: a reference or an account id that is spelled like a used one. */
  readonly slips: readonly Sign[];
  /** Similar orders whose outcome is still open. */
  readonly open: readonly Sign[];
  /** Worth a note: similar orders that were accepted lately, and collections that were never answered. */
  readonly told: readonly Sign[];
}

/** One sign that an order may repeat another one. */
export interface Sign {
  /** The other order's id, if it is one. */
  readonly id: string | undefined;
  /** The flag or field that it concerns. */
  readonly field: string;
  /** A sentence without its full stop. */
  readonly words: string;
  /** What to do about it. */
  readonly advice: string;
  /** What became of the other order's money, where it moved or may have. */
  readonly money?: Failure["earlier"];
}

/** States in which money may still move, the most serious first. */
const openStates: readonly MovementState[] = ["unknown", "sending", "prepared", "pending"];

/** What similar orders have in common, by kind. */
export const commonParts: Readonly<Record<MovementKind, string>> = {
  transfer: "payer, receiver and amount",
  withdraw: "wallet and amount",
  collect: "phone number and amount",
  remit: "receiver and amount",
  payout: "payer, receiver and amount",
};

/** Sorts the orders around a new one by how serious they are. */
export function repeatsIn(order: ComparedOrder, around: Around, context: RepeatContext): Repeats {
  const { nowMs, windowMs } = context;
  const open = around.like.filter((other) => openStates.includes(other.state));
  const accepted = around.like.filter((other) => other.state === "accepted" && isRecent(other, nowMs, windowMs));
  return {
    slips: slipsIn(order.reference, around, context),
    open: open
      .filter((other) => isOpenLike(other, nowMs))
      .toSorted(bySeverity)
      .map(signOf),
    told: [...open.filter((other) => !isOpenLike(other, nowMs)), ...accepted].map(signOf),
  };
}

/** True for a similar order that is still open, so that this one could be a second payment. */
export function isOpenLike({ state, kind, openedAt }: Movement, nowMs: number): boolean {
  return openStates.includes(state) && (kind !== "collect" || nowMs - openedAt < openCollectionMs);
}

/** True where an order was placed or settled within that time. */
export function isRecent({ openedAt, settledAt }: Movement, nowMs: number, windowMs: number): boolean {
  return windowMs > 0 && nowMs - Math.max(openedAt, settledAt ?? openedAt) <= windowMs;
}

/** References and account ids that differ from used ones only in how they are written. */
export function slipsIn(
  reference: string,
  { near, seen, accounts }: Omit<Around, "like">,
  { scope }: Pick<RepeatContext, "scope">,
): Sign[] {
  const used = near.filter(({ state }) => state !== "unsent" && state !== "refused");
  const known = new Set([reference, ...used.map((other) => other.reference)]);
  const shown = seen.filter((row) => !known.has(row.reference));
  const own = accountIn(scope)?.accountId ?? scope;
  return [
    ...used.map((other) => nearSign(reference, other)),
    ...shown.map((row) => seenSign(reference, row.reference, row.accountNo)),
    ...accounts.map((other) => accountSign(own, other)),
  ];
}

/**
 * Refuses an account id that differs from a known one only in letter case.
 * @param known every account that the journal knows
 * @param flag that confirms it
 * @throws {Failure} usage
 */
export function refuseAccountSlip(scope: string, known: readonly string[], flag: RepeatFlag): void {
  const around = { near: [], seen: [], accounts: accountsLike(scope, known) };
  const slips = slipsIn("", around, { scope });
  if (slips.length > 0) throw repeatFailure(undefined, { slips, open: [] }, flag);
}

/** `R-1, ordered 2026-03-31 12:00:00, id 1b4e28ba-…`. */
export function nameOrder({ reference, openedAt, id, batch }: Movement): string {
  const row = batch === null ? "" : `, line ${batch.row} of batch ${batch.id}`;
  return `${reference}, ordered ${wallTime(openedAt)}, id ${id}${row}`;
}

function nearSign(reference: string, other: Movement): Sign {
  const difference = `${quote(reference)} differs only by ${nearness(reference, other.reference)} from ${quote(other.reference)}`;
  return {
    id: other.id,
    field: "reference",
    words: `The reference ${difference}, which is used: it is ${other.state}, ordered ${wallTime(other.openedAt)}, id ${other.id}`,
    advice: `If it is the same payment, use its reference: ${quote(other.reference)}.`,
    money: moneyOf(other),
  };
}

function seenSign(reference: string, other: string, accountNo: string): Sign {
  const difference = `${quote(reference)} differs only by ${nearness(reference, other)} from ${quote(other)}`;
  return {
    id: undefined,
    field: "reference",
    words: `The reference ${difference}, which the statement of ${accountNo} shows`,
    advice: `If it is the same payment, use its reference: ${quote(other)}.`,
    money: "moved",
  };
}

function accountSign(own: string, other: string): Sign {
  return {
    id: undefined,
    field: "accountId",
    words: `The account id ${quote(own)} differs only by letter case from ${quote(other)}, under which there are orders`,
    advice: "Correct it if it is the same account: partner profile set NAME accountId=ID.",
  };
}

/** A similar order as a sign. */
export function signOf(other: Movement): Sign {
  const { kind, state, id } = other;
  const open = state === "unknown" ? "has an unknown outcome" : `is ${state}`;
  const says = state === "accepted" ? "was accepted" : isInFlight(other) ? "is being sent" : open;
  return {
    id,
    field: "like",
    words: `A ${movementNouns[kind]} with the same ${commonParts[kind]} ${says}: ${nameOrder(other)}`,
    advice:
      state === "unknown"
        ? `Find out what became of it: partner journal resolve ${id}.`
        : `See it: partner journal show ${id}.`,
    money: moneyOf(other),
  };
}

function moneyOf({ state }: Movement): Sign["money"] {
  if (state === "accepted") return "moved";
  return openStates.includes(state) ? "unknown" : undefined;
}

function bySeverity(one: Movement, other: Movement): number {
  return openStates.indexOf(one.state) - openStates.indexOf(other.state) || other.openedAt - one.openedAt;
}

/** The first of several signs, and the number of others, as one sentence; empty without a sign. */
export function sentencesOf(signs: readonly Sign[]): string[] {
  const [first, ...more] = signs;
  if (first === undefined) return [];
  return [more.length === 0 ? `${first.words}.` : `${first.words}; and ${more.length} more.`];
}

/**
 * Why an order is not sent before a person confirms it.
 * @param flag that confirms it
 */
export function repeatFailure(
  reference: string | undefined,
  { slips, open }: Pick<Repeats, "slips" | "open">,
  flag: RepeatFlag = "--again",
): Failure {
  const first = [...slips.slice(0, 1), ...open.slice(0, 1)];
  const fates = new Set([...slips, ...open].map(({ money }) => money));
  return new Failure("usage", [...sentencesOf(slips), ...sentencesOf(open), "Nothing was sent."].join(" "), {
    hint: `${first.map(({ advice }) => advice).join(" ")} If this is a payment of its own: ${flag}`,
    money: "not moved",
    earlier: fates.has("unknown") ? "unknown" : fates.has("moved") ? "moved" : undefined,
    reference,
    details: Object.fromEntries(first.map(({ field, words }) => [field, words])),
  });
}

/** Checks the orders around a new one, within the claim. @throws where it is not to be sent */
export type RepeatCheck = (order: MoneyOrder, around: Around) => void;

/**
 * Repeats the check of a single order within the claim.
 * @param known ids of similar orders that a person was shown before confirming
 */
export function repeatCheck(context: () => RepeatContext, known: ReadonlySet<string> = new Set()): RepeatCheck {
  return (order, around) => {
    const { slips, open, told } = repeatsIn(order, around, context());
    // An order that was sent and accepted since then is new as well: no warning has named it.
    const news = [...open, ...told].filter(({ id }) => id === undefined || !known.has(id));
    if (slips.length + news.length > 0) throw repeatFailure(order.reference, { slips, open: news });
  };
}

/** For an order that a person has confirmed: `--again`. */
export const anyRepeat: RepeatCheck = () => undefined;
