import { unconfirmedBy } from "../journal/grounds.ts";
import type { Evidence, Movement, MovementKind } from "../journal/movement.ts";
import { isFinal, movementNouns } from "../journal/movement.ts";
import { firstAmount, payerOf, receiverName, receiverOf, requestOf } from "../journal/requests/movement-request.ts";
import type { Decimal } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";

/** Facts about an outcome besides the movement itself. */
export interface OutcomeKnown {
  /** False where the reference had this outcome before. */
  readonly sentNow: boolean;
  /** What its state rests on. */
  readonly grounds: Evidence | null;
  /** A wallet's name and currency, as it was last seen. */
  readonly wallet: (accountNo: string) => { readonly name: string; readonly currency: string } | undefined;
  /** What the wallet that paid holds now. */
  readonly balance?: Decimal | undefined;
}

/**
 * What happened, in a sentence: who paid what to whom, under which reference, and the remaining balance. What the
 * service doesn't confirm has a second sentence that says so.
 */
export function outcomeSentence(movement: Movement, { sentNow, grounds, wallet, balance }: OutcomeKnown): string {
  const { kind, state, reference } = movement;
  const parts = outcomeParts(movement, wallet);
  const by = isFinal(state) ? unconfirmedBy(grounds) : undefined;
  const claimed = by === undefined ? "" : ` ${by} says so; the service did not confirm it.`;
  if (!sentNow) return `Nothing was sent now. ${before(kind, parts, state)}, reference ${reference}.${claimed}`;
  const done = doneWords[kind][state === "accepted" || state === "pending" ? state : "other"];
  const sentence = `${done(parts, state)}, reference ${reference}.${claimed}`;
  return balance === undefined ? sentence : `${sentence} Balance now ${formatMoney(balance, parts.currency)}.`;
}

/** Who and how much, in a person's words; a part that the request does not say is empty. */
export interface OutcomeParts {
  /** `TZS 250,000.00`. */
  readonly money: string;
  readonly currency: string | undefined;
  /** The wallet or the phone that pays. */
  readonly payer: string;
  /** `Mishahara (9000112244)`. */
  readonly receiver: string;
}

export function outcomeParts(movement: Movement, wallet: OutcomeKnown["wallet"]): OutcomeParts {
  const { kind } = movement;
  const request = requestOf(movement);
  const [moved, payer = "", receiver] = [firstAmount(kind, request), payerOf(kind, request), receiverOf(kind, request)];
  const currency = moved?.currency ?? wallet(moved?.wallet ?? "")?.currency;
  const amount = moved === undefined ? "an amount" : formatMoney(moved.amount, currency);
  const account = receiver?.account ?? "";
  const name = receiverName(kind, request) ?? wallet(account)?.name ?? "";
  return {
    money: currency === undefined || currency === "" ? amount : `${currency} ${amount}`,
    currency,
    payer,
    receiver: name === "" ? account : `${name} (${account})`,
  };
}

type Words = (parts: OutcomeParts, state: string) => string;

const doneWords: Readonly<Record<MovementKind, Readonly<Record<"accepted" | "pending" | "other", Words>>>> = {
  transfer: {
    accepted: ({ money, payer, receiver }) => `Sent ${money} from ${payer} to ${receiver}`,
    pending: ({ money, payer, receiver }) => `Sent ${money} from ${payer} to ${receiver}; it is not final yet`,
    other: (parts, state) => stated("transfer", parts, state),
  },
  withdraw: {
    accepted: ({ money, payer }) => `Withdrew ${money} from ${payer} to the main account`,
    pending: ({ money, payer }) => `Withdrew ${money} from ${payer}; it is not final yet`,
    other: (parts, state) => stated("withdraw", parts, state),
  },
  collect: {
    accepted: ({ money, payer }) => `Collected ${money} from ${payer}`,
    pending: ({ money, payer }) => `Asked ${payer} to pay ${money}; the answer is not known yet`,
    other: (parts, state) => stated("collect", parts, state),
  },
  remit: {
    accepted: ({ money, receiver }) => `Sent ${money} to ${receiver}`,
    pending: ({ money, receiver }) => `Ordered ${money} for ${receiver}; it is under way`,
    other: (parts, state) => stated("remit", parts, state),
  },
  payout: {
    accepted: ({ money, payer, receiver }) => `Paid ${money} from ${payer} to ${receiver}`,
    pending: ({ money, payer, receiver }) => `Ordered ${money} from ${payer} for ${receiver}; it is under way`,
    other: (parts, state) => stated("payout", parts, state),
  },
};

function stated(kind: MovementKind, parts: OutcomeParts, state: string): string {
  const order = `${movementNouns[kind]} of ${whatMoved[kind](parts)}`;
  return state === "unknown"
    ? `The outcome of the ${order} is unknown`
    : `The ${order} ${endings.get(state) ?? `is ${state}`}`;
}

/** How an order ended; an order without an end is still in its state. */
const endings: ReadonlyMap<string, string> = new Map([
  ["refused", "was refused"],
  ["reversed", "was reversed"],
  ["unsent", "was not sent"],
]);

/** For an earlier order under the same reference. */
function before(kind: MovementKind, parts: OutcomeParts, state: string): string {
  const standing = state === "accepted" ? "made before" : `ordered before and ${endings.get(state) ?? `is ${state}`}`;
  return `The ${movementNouns[kind]} of ${whatMoved[kind](parts)} was ${standing}`;
}

const whatMoved: Readonly<Record<MovementKind, (parts: OutcomeParts) => string>> = {
  transfer: ({ money, payer, receiver }) => `${money} from ${payer} to ${receiver}`,
  withdraw: ({ money, payer }) => `${money} from ${payer}`,
  collect: ({ money, payer }) => `${money} from ${payer}`,
  remit: ({ money, receiver }) => `${money} to ${receiver}`,
  payout: ({ money, payer, receiver }) => `${money} from ${payer} to ${receiver}`,
};
