import type { AmountField, Booking } from "../journal/movement-kinds.ts";
import { amountsIn, movementForms, requestOf, textIn } from "../journal/movement-kinds.ts";
import type { Movement } from "../journal/movement.ts";
import type { Day } from "../values/time/day.ts";
import type { ClockSpread } from "../values/time/service-clock.ts";
import { daysAt, noSpread } from "../values/time/service-clock.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { answerIds } from "./answer-ids.ts";
import type { Side } from "./statement-row.ts";
import { daysAfter } from "./wallet-rows.ts";

/** Rows of a movement can be dated before it, by a clock that differs. */
const daysBefore = -1;

/** What is known of an order that a statement is to say something about. */
export type OrderInQuestion = Pick<
  Movement,
  "scope" | "kind" | "reference" | "request" | "response" | "transactionId" | "openedAt"
> & {
  /** Undefined as long as the journal doesn't have it. */
  readonly id?: string | undefined;
  /** How far the service's clock was from the one that it was placed by. */
  readonly spread?: ClockSpread | undefined;
};

/** A wallet whose statement can show an order, and what the order does to it. */
export interface Booked {
  readonly accountNo: string;
  /** The amounts that its row can have: the one of the wallet's currency, where the order has two. */
  readonly amounts: readonly Decimal[];
}

/** An order, and how a row of it looks. */
export interface Trial {
  readonly order: OrderInQuestion;
  readonly side: Side;
  readonly booked: readonly Booked[];
  /** Its reference, and the ids that the service gave it. */
  readonly ids: ReadonlySet<string>;
  /** Ids of the service that fees say are other orders'. */
  readonly strangers?: ReadonlySet<string> | undefined;
  /** The narration as it was or would be sent. */
  readonly sent: string;
  /** True where what was sent holds the reference, so that nothing else of the account has the same narration. */
  readonly sentReference: boolean;
  /** The first and the last value date that a row of it can have. */
  readonly first: Day;
  readonly last: Day;
  /** False where clocks differed when it was placed: a row is its own by more than its date and narration then. */
  readonly isDated: boolean;
  /**
   * True for an order that the journal never sent. If it was paid, then by a journal that is lost: a row that has
   * neither its reference nor an id of it doesn't say so, since the same narration is sent again and again.
   */
  readonly isNew: boolean;
}

/** What the list of wallets says. Spec 2.4. */
export type Wallets = readonly JsonObject[];

/** True for an order whose statement is found in the list of wallets only: its request names none. */
export function needsWallets(kind: Movement["kind"]): boolean {
  return !("wallet" in bookingOf(kind));
}

/**
 * How a row of the order would look.
 * @param wallets as the service lists them; left out where the request names the wallet
 */
export function trialOf(order: OrderInQuestion, wallets: Wallets = []): Trial {
  const request = requestOf(order);
  const sent = (textIn(request, movementForms[order.kind].narration) ?? "").trim();
  const spread = order.spread ?? noSpread;
  const sentOn = daysAt(order.openedAt, spread);
  return {
    order,
    side: bookingOf(order.kind).side,
    booked: bookedIn(order.kind, request, wallets),
    ids: new Set([order.reference, ...answerIds(order)]),
    sent,
    sentReference: hasWord(sent, order.reference),
    first: sentOn.earliest.addDays(daysBefore),
    last: sentOn.latest.addDays(daysAfter),
    isDated: spread.earliestMs === 0 && spread.latestMs === 0,
    isNew: false,
  };
}

/** The same for an order that is not sent yet: what a lost journal may have sent of it, from that day on. */
export function asNew(trial: Trial, first: Day): Trial {
  return { ...trial, first, isNew: true };
}

/** The one booking that counts: a transfer stands in two statements, and is looked for where it was paid from. */
function bookingOf(kind: Movement["kind"]): Booking {
  const [booking] = movementForms[kind].bookings;
  if (booking === undefined) throw new Error(`No statement shows a ${kind}`);
  return booking;
}

function bookedIn(kind: Movement["kind"], request: JsonObject, wallets: Wallets): Booked[] {
  const booking = bookingOf(kind);
  const amounts = amountsIn(kind, request);
  if ("wallet" in booking) {
    const accountNo = textIn(request, booking.wallet);
    return accountNo === undefined ? [] : [{ accountNo, amounts: amounts.map(({ amount }) => amount) }];
  }
  const country = countryOf(movementForms[kind].amounts[0], request);
  return wallets.flatMap((wallet) => {
    const [accountNo, type, currency] = ["accountNo", "type", "currency"].map((name) => textIn(wallet, name));
    if (accountNo === undefined || type?.endsWith(booking.walletType) !== true) return [];
    if (country !== undefined && (textIn(wallet, "countryCode") ?? country) !== country) return [];
    const fitting = amounts.filter((amount) => amount.currency === undefined || amount.currency === currency);
    return fitting.length === 0 ? [] : [{ accountNo, amounts: fitting.map(({ amount }) => amount) }];
  });
}

function countryOf({ channel }: AmountField, request: JsonObject): string | undefined {
  return channel === undefined ? undefined : textIn(request, channel)?.slice(0, 2);
}

/** True where the word stands in the text by itself, not as a part of a longer one. */
export function hasWord(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordPart(text.charAt(at - 1)) && !isWordPart(text.charAt(at + word.length))) return true;
  return false;
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}_/-]/u.test(character);
}
