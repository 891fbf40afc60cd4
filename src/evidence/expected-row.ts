import type { FormerAttempt } from "../journal/former-attempts.ts";
import type { StatementBooking } from "../journal/requests/movement-kinds.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { amountsIn, channelCountry, dayIn, requestOf, requestText } from "../journal/requests/movement-request.ts";
import type { Movement } from "../journal/movement.ts";
import type { Day } from "../values/time/day.ts";
import type { ClockSpread } from "../values/time/service-clock.ts";
import { daysAt, noSpread } from "../values/time/service-clock.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { answerIds } from "./answer-ids.ts";
import type { Side } from "./rows/statement-row.ts";
import { daysAfter, daysBefore } from "./rows/wallet-rows.ts";

/** The day in an order's request counts only if it is at most so many days from the day of sending. */
const givenMaxDays = 400;

/** The facts of an order that a statement is searched for. */
export type OrderInQuestion = Pick<
  Movement,
  "scope" | "kind" | "reference" | "request" | "response" | "transactionId" | "openedAt"
> & {
  /** Undefined until the journal has it. */
  readonly id?: string | undefined;
  /** How far the service's clock was from this machine's when the order was placed. */
  readonly spread?: ClockSpread | undefined;
  /** Earlier attempts that were called refused by word alone: a row of one of them is the order's, too. */
  readonly former?: readonly FormerAttempt[] | undefined;
};

/** A wallet whose statement can show an order, and the amounts there. */
export interface Booked {
  readonly accountNo: string;
  /** The amounts that its row can have: in the wallet's currency, where the order has two. */
  readonly amounts: readonly Decimal[];
}

/** An order, and what its row in a statement looks like. */
export interface ExpectedRow {
  readonly order: OrderInQuestion;
  readonly side: Side;
  readonly booked: readonly Booked[];
  /** Its reference, and the ids that the service gave it. */
  readonly ids: ReadonlySet<string>;
  /** Service ids that belong to other orders, by their fees. */
  readonly strangers?: ReadonlySet<string> | undefined;
  /** The narration as it was sent or would be. */
  readonly sent: string;
  /** True where the narration contains the reference, so that no other order of the account has the same one. */
  readonly sentReference: boolean;
  /** The first and the last value date that its row can have. */
  readonly first: Day;
  readonly last: Day;
  /** The day in the order's request, unless far away: a row of that day contradicts a word that nothing moved. */
  readonly given: Day | undefined;
  /** False where clocks differed when it was placed: then date and narration alone don't identify its row. */
  readonly isDated: boolean;
  /**
   * True for an order that the journal never sent. If it was paid, a lost journal sent it. Only a row with its
   * reference or an id of it proves that, as many orders have the same narration.
   */
  readonly isNew: boolean;
}

/** What the list of wallets says. Spec 2.4. */
export type Wallets = readonly JsonObject[];

/** True for an order whose wallet is found only in the list of wallets: its request names none. */
export function needsWallets(kind: Movement["kind"]): boolean {
  return !("wallet" in bookingOf(kind));
}

/**
 * The form of an order's row.
 * @param wallets as the service lists them; not needed where the request names the wallet
 */
export function expectedRowOf(order: OrderInQuestion, wallets: Wallets = []): ExpectedRow {
  const request = requestOf(order);
  const sent = (requestText(request, movementForms[order.kind].narration) ?? "").trim();
  const spread = order.spread ?? noSpread;
  const sentOn = daysAt(order.openedAt, spread);
  const former = order.former ?? [];
  const formerIds = former.flatMap((each) => answerIds({ ...order, ...each, request: each.request ?? order.request }));
  const [firstSentOn = sentOn.earliest] = [sentOn, ...former.map((each) => daysAt(each.openedAt, each.spread))]
    .map(({ earliest }) => earliest)
    .toSorted((one, other) => one.compare(other));
  return {
    order,
    side: bookingOf(order.kind).side,
    booked: bookedIn(order.kind, request, wallets),
    ids: new Set([order.reference, ...answerIds(order), ...formerIds]),
    sent,
    sentReference: hasWord(sent, order.reference),
    first: firstSentOn.addDays(daysBefore),
    last: sentOn.latest.addDays(daysAfter),
    given: givenIn(order.kind, request, sentOn.earliest),
    isDated: [spread, ...former.map((each) => each.spread)].every(isAgreed),
    isNew: false,
  };
}

function isAgreed({ earliestMs, latestMs }: ClockSpread): boolean {
  return earliestMs === 0 && latestMs === 0;
}

function givenIn(kind: Movement["kind"], request: JsonObject, sentOn: Day): Day | undefined {
  const day = dayIn(kind, request);
  return day !== undefined && Math.abs(sentOn.daysUntil(day)) <= givenMaxDays ? day : undefined;
}

/** The expected row of an unsent order, which a lost journal may have sent since that day. */
export function asNew(expected: ExpectedRow, first: Day): ExpectedRow {
  return { ...expected, first, given: undefined, isNew: true };
}

/** The booking to look for: a transfer is in two statements; the paying wallet's is searched. */
function bookingOf(kind: Movement["kind"]): StatementBooking {
  const [booking] = movementForms[kind].bookings;
  if (booking === undefined) throw new Error(`No statement shows a ${kind}`);
  return booking;
}

function bookedIn(kind: Movement["kind"], request: JsonObject, wallets: Wallets): Booked[] {
  const booking = bookingOf(kind);
  const amounts = amountsIn(kind, request);
  if ("wallet" in booking) {
    const accountNo = requestText(request, booking.wallet);
    return accountNo === undefined ? [] : [{ accountNo, amounts: amounts.map(({ amount }) => amount) }];
  }
  const country = channelCountry(kind, request);
  return wallets.flatMap((wallet) => {
    const [accountNo, type, currency] = ["accountNo", "type", "currency"].map((name) => requestText(wallet, name));
    if (accountNo === undefined || type?.endsWith(booking.walletType) !== true) return [];
    if (country !== undefined && (requestText(wallet, "countryCode") ?? country) !== country) return [];
    const fitting = amounts.filter((amount) => amount.currency === undefined || amount.currency === currency);
    return fitting.length === 0 ? [] : [{ accountNo, amounts: fitting.map(({ amount }) => amount) }];
  });
}

/** True where the text contains the word as a whole word. */
export function hasWord(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordPart(text.charAt(at - 1)) && !isWordPart(text.charAt(at + word.length))) return true;
  return false;
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}_/-]/u.test(character);
}
