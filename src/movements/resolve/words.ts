import { firstAmount, requestOf } from "../../journal/requests/movement-request.ts";
import type { Movement, MovementState } from "../../journal/movement.ts";
import { mayClaim } from "../../journal/transitions.ts";
import { movementNouns } from "../../journal/movement.ts";
import { formatMoney } from "../../values/money/money.ts";
import type { CurrencyOfOrder } from "../journal-report.ts";
import type { Resolved } from "./resolve.ts";
import { withoutEnding } from "../../values/text/text-end.ts";

/**
 * The sentence about an order that was looked up: what it is, what was found, and what that means.
 * @param profile the profile that the command line named
 */
export function resolvedSentence(
  { movement, saw, isUnread, isElsewhere, isContradicted, isDoubtful }: Resolved,
  currencyOf: CurrencyOfOrder,
  profile?: string,
): string {
  const { kind, reference, state, scope } = movement;
  const moved = firstAmount(kind, requestOf(movement));
  const currency = moved?.currency ?? currencyOf(scope, moved?.wallet);
  const of =
    moved === undefined ? "" : ` of ${currency ?? ""} ${formatMoney(moved.amount, currency)}`.replace("  ", " ");
  const told = `The ${movementNouns[kind]} ${reference}${of} is ${state}. ${withoutEnding(saw, ".")}.`;
  if (isElsewhere) return told;
  const meaning = isUnread
    ? "Its statement says nothing yet."
    : isContradicted
      ? "The two contradict each other. Do not send it again; ask the service."
      : isDoubtful === true && mayClaim(movement)
        ? "It may have been paid all the same. Ask the service before you send it again."
        : meanings[state](movement, profile);
  return `${told} ${meaning}`;
}

const sayIt = (id: string, profile: string | undefined) =>
  `partner ${profile === undefined ? "" : `-p ${profile} `}journal resolve ${id} --as accepted|refused --evidence TEXT`;

const meanings: Readonly<Record<MovementState, (movement: Movement, profile?: string) => string>> = {
  prepared: () => "Wait for its outcome.",
  sending: () => "Wait for its outcome.",
  accepted: () => "It was paid. Do not send it again.",
  refused: (movement) =>
    `${movement.evidence === "answer" ? nothingMoved(movement) : ""}Its reference can be used again.`,
  reversed: () => "It was paid and taken back; no money is gone. To pay it again, use another reference.",
  unsent: (movement) => `${nothingMoved(movement)}Its reference can be used again.`,
  pending: () => "The service has taken it, and its outcome is to come. Do not send it again.",
  unknown: ({ id, kind }, profile) => `${unknownMeanings[kind]} ${sayIt(id, profile)}`,
};

/** The outcome of the latest attempt says nothing about those before it. */
function nothingMoved({ attempt }: Movement): string {
  return attempt === 1 ? "No money moved. " : "";
}

const unknownMeanings: Readonly<Record<Movement["kind"], string>> = {
  transfer: "It may have been paid: do not send it again. Look later, or say what you know:",
  withdraw:
    "It may have been paid: do not send it again. Where its row shows neither its reference nor its narration, a person's word is needed:",
  collect: "It may have been paid: do not send it again. Look later, or say what you know:",
  payout: "It may have been paid: do not send it again. Look later, or say what you know:",
  remit:
    "It may have been paid: do not send it again. Statements seldom show remittances. Ask the service, and say what you know:",
};
