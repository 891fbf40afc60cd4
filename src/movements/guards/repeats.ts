import type { Around } from "../../journal/journal.ts";
import type { Movement, MovementKind, MovementState } from "../../journal/movement.ts";
import { isInFlight, movementNouns } from "../../journal/movement.ts";
import { accountIn, accountsLike } from "../../journal/account-name.ts";
import { nearness } from "../../journal/order-keys.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { MoneyOrder } from "../order.ts";

const hourMs = 60 * 60_000;
/** How long an accepted order is told of when a like one comes, where the profile doesn't say. */
export const likeWindowMs = 24 * hourMs;
/** After so long a subscriber has let the prompt on the phone pass: another one is no second payment by itself. */
const openCollectionMs = hourMs / 4;

/** What a person says that it is meant by. */
export type RepeatFlag = "--again" | "--allow-repeats";

/** An order that nobody has placed, as far as others are compared with it. */
export type ComparedOrder = Pick<MoneyOrder, "kind" | "reference">;

/** Within what time others count. */
export interface RepeatContext {
  /** The account's name, as `accountScope` says it. */
  readonly scope: string;
  readonly nowMs: number;
  /** How long ago an order may have been accepted to be told of; 0: none is. */
  readonly windowMs: number;
}

/** What could make an order the second payment of one thing, most of all worth knowing first. */
export interface Repeats {
  /** Most likely a slip of the hand: a reference or an account id that is written like a used one. */
  readonly slips: readonly Sign[];
  /** Like orders whose outcome nobody knows yet. */
  readonly open: readonly Sign[];
  /** What is worth a note: like orders that were accepted lately, collections that nobody answered. */
  readonly told: readonly Sign[];
}

/** One sign that an order could be meant as another one. */
export interface Sign {
  /** Its id where it is an order. */
  readonly id: string | undefined;
  /** The flag or field that it is about. */
  readonly field: string;
  /** A sentence without its full stop. */
  readonly words: string;
  /** What to do about it. */
  readonly advice: string;
}

/** States that leave open whether money moves, the most troubling first. */
const openStates: readonly MovementState[] = ["unknown", "sending", "prepared", "pending"];

/** What like orders have in common, by kind. */
const commonParts: Readonly<Record<MovementKind, string>> = {
  transfer: "payer, receiver and amount",
  withdraw: "wallet and amount",
  collect: "phone number and amount",
  remit: "receiver and amount",
  payout: "payer, receiver and amount",
};

/** Sorts what stands around an order by what it means for the order. */
export function repeatsIn(order: ComparedOrder, around: Around, context: RepeatContext): Repeats {
  const { nowMs, windowMs } = context;
  const open = around.like.filter((other) => openStates.includes(other.state));
  const accepted = around.like.filter((other) => other.state === "accepted" && isWithin(other, nowMs, windowMs));
  return {
    slips: slipsIn(order.reference, around, context),
    open: open
      .filter((other) => isOpenLike(other, nowMs))
      .toSorted(byTrouble)
      .map(signOf),
    told: [...open.filter((other) => !isOpenLike(other, nowMs)), ...accepted].map(signOf),
  };
}

/** True for a like order whose outcome leaves open whether this one would be the second payment. */
export function isOpenLike({ state, kind, openedAt }: Movement, nowMs: number): boolean {
  return openStates.includes(state) && (kind !== "collect" || nowMs - openedAt < openCollectionMs);
}

/** True where an order was placed, or its outcome known, no longer ago than that. */
export function isWithin({ openedAt, settledAt }: Movement, nowMs: number, windowMs: number): boolean {
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
 * Stops whoever would order for an account whose id differs from a known one only in letter case.
 * @param known every account that the journal knows
 * @param flag what says that it is meant
 * @throws {Failure} usage
 */
export function refuseAccountSlip(scope: string, known: readonly string[], flag: RepeatFlag): void {
  const around = { near: [], seen: [], accounts: accountsLike(scope, known) };
  const slips = slipsIn("", around, { scope });
  if (slips.length > 0) throw repeatFailure(undefined, { slips, open: [] }, flag);
}

/** `R-1, ordered 2026-03-31T12:00:00+03:00, id 1b4e28ba-…`. */
export function nameOrder({ reference, openedAt, id, batch }: Movement): string {
  const row = batch === null ? "" : `, line ${batch.row} of batch ${batch.id}`;
  return `${reference}, ordered ${isoDarEsSalaam(openedAt)}, id ${id}${row}`;
}

function nearSign(reference: string, other: Movement): Sign {
  const difference = `${quote(reference)} differs only by ${nearness(reference, other.reference)} from ${quote(other.reference)}`;
  return {
    id: other.id,
    field: "reference",
    words: `The reference ${difference}, which is used: it is ${other.state}, ordered ${isoDarEsSalaam(other.openedAt)}, id ${other.id}`,
    advice: `If it is the same payment, use its reference: ${quote(other.reference)}.`,
  };
}

function seenSign(reference: string, other: string, accountNo: string): Sign {
  const difference = `${quote(reference)} differs only by ${nearness(reference, other)} from ${quote(other)}`;
  return {
    id: undefined,
    field: "reference",
    words: `The reference ${difference}, which the statement of ${accountNo} shows`,
    advice: `If it is the same payment, use its reference: ${quote(other)}.`,
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

/** A like order as a sign. */
export function signOf(other: Movement): Sign {
  const { kind, state, id } = other;
  const says = state === "accepted" ? "was accepted" : isInFlight(other) ? "is being sent" : `is ${state}`;
  return {
    id,
    field: "like",
    words: `A ${movementNouns[kind]} with the same ${commonParts[kind]} ${says}: ${nameOrder(other)}`,
    advice:
      state === "unknown"
        ? `Find out what became of it: partner journal resolve ${id}.`
        : `See it: partner journal show ${id}.`,
  };
}

function byTrouble(one: Movement, other: Movement): number {
  return openStates.indexOf(one.state) - openStates.indexOf(other.state) || other.openedAt - one.openedAt;
}

/** The first of several signs, and how many more there are, as one sentence; none where there is no sign. */
export function sentencesOf(signs: readonly Sign[]): string[] {
  const [first, ...more] = signs;
  if (first === undefined) return [];
  return [more.length === 0 ? `${first.words}.` : `${first.words}; and ${more.length} more.`];
}

/**
 * Why an order is not sent before a person says that it is meant.
 * @param flag what says so
 */
export function repeatFailure(
  reference: string | undefined,
  { slips, open }: Pick<Repeats, "slips" | "open">,
  flag: RepeatFlag = "--again",
): Failure {
  const first = [...slips.slice(0, 1), ...open.slice(0, 1)];
  return new Failure("usage", [...sentencesOf(slips), ...sentencesOf(open), "Nothing was sent."].join(" "), {
    hint: `${first.map(({ advice }) => advice).join(" ")} If this is a payment of its own: ${flag}`,
    money: "not moved",
    reference,
    details: Object.fromEntries(first.map(({ field, words }) => [field, words])),
  });
}

/** Looks at what stands around an order while it is taken hold of. @throws what keeps it from being sent */
export type RepeatCheck = (order: MoneyOrder, around: Around) => void;

/**
 * What is looked at once more for a single order, in the moment in which it is taken hold of.
 * @param known ids of like orders that a person was shown before saying yes
 */
export function repeatCheck(context: () => RepeatContext, known: ReadonlySet<string> = new Set()): RepeatCheck {
  return (order, around) => {
    const { slips, open, told } = repeatsIn(order, around, context());
    // One that was sent and accepted since is news as well: no warning has named it.
    const news = [...open, ...told].filter(({ id }) => id === undefined || !known.has(id));
    if (slips.length + news.length > 0) throw repeatFailure(order.reference, { slips, open: news });
  };
}

/** For an order that a person has said is meant: `--again`. */
export const anyRepeat: RepeatCheck = () => undefined;
