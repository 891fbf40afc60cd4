import { unconfirmedBy } from "../journal/grounds.ts";
import type { Evidence, Movement, MovementKind, MovementState } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { firstAmount, payerOf, receiverOf, requestOf, requestText } from "../journal/requests/movement-request.ts";
import type { RecordReport } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import type { OutcomeKnown } from "./outcome-sentence.ts";
import { outcomeParts } from "./outcome-sentence.ts";

/** What a receipt holds, for programs and for the table. */
export const receiptFields: readonly Field[] = [
  { name: "receipt", kind: "text" },
  { name: "amount", kind: "amount" },
  { name: "currency", kind: "id" },
  { name: "from", kind: "id" },
  { name: "to", kind: "text" },
  { name: "description", kind: "text" },
  { name: "reference", kind: "id" },
  { name: "state", kind: "id" },
  { name: "orderedAt", kind: "time", title: "ordered" },
  { name: "settledAt", kind: "time", title: "settled" },
  { name: "takenBackAt", kind: "time", title: "reversed" },
  { name: "transactionId", kind: "id", title: "transaction id" },
  { name: "evidence", kind: "text" },
  { name: "id", kind: "id", title: "order id" },
];

export interface Receipt {
  /** True where the money is known to have moved: anything else isn't a receipt, and says so. */
  readonly isPaid: boolean;
  /** `Transfer`, and its state in a sentence. */
  readonly title: string;
  readonly sentence: string;
  readonly reference: string;
  /** `TZS 250,000.00`. */
  readonly money: string;
  readonly record: Readonly<Record<string, JsonValue>>;
}

/** Longer texts than this would push a receipt onto a second page. */
const descriptionMaxChars = 280;

/**
 * @param grounds what its state rests on
 * @param back when the statement shows that it was reversed, as its source writes it; undefined where it shows nothing of
 *   the kind
 */
export function receiptOf(
  movement: Movement,
  { wallet, grounds }: Pick<OutcomeKnown, "wallet" | "grounds">,
  back: string | undefined,
): Receipt {
  const { kind, reference, openedAt, settledAt, changedAt, transactionId, id } = movement;
  const isBack = movement.state === "reversed" || (movement.state === "accepted" && back !== undefined);
  const state = isBack ? "reversed" : movement.state;
  const request = requestOf(movement);
  const [moved, parts] = [firstAmount(kind, request), outcomeParts(movement, wallet)];
  const isOfLedger = state !== movement.state;
  const sentence =
    state === "accepted" ? paidSentences[grounds ?? "answer"] : notPaidSentence(state, isOfLedger ? null : grounds);
  return {
    isPaid: state === "accepted",
    title: titles[kind],
    sentence,
    reference,
    money: parts.money,
    record: {
      receipt: `${titles[kind]}. ${sentence}`,
      amount: moved === undefined ? null : new Numeral(moved.amount.toString()),
      currency: parts.currency ?? null,
      from: payerOf(kind, request) ?? null,
      to: receiverOf(kind, request) === undefined ? toAccount[kind] : parts.receiver,
      description: shortened(requestText(request, movementForms[kind].narration) ?? ""),
      reference,
      state,
      orderedAt: isoDarEsSalaam(openedAt),
      settledAt: settledAt === null ? null : isoDarEsSalaam(settledAt),
      takenBackAt: isBack ? (back ?? isoDarEsSalaam(changedAt)) : null,
      transactionId,
      evidence: grounds === null ? null : evidenceWords[grounds],
      id,
    },
  };
}

const titles: Readonly<Record<MovementKind, string>> = {
  transfer: "Transfer",
  withdraw: "Withdrawal",
  collect: "Collection",
  remit: "Remittance",
  payout: "Payout",
};

const toAccount: Readonly<Record<MovementKind, string>> = {
  transfer: "",
  withdraw: "the main account",
  collect: "the default collection wallet",
  remit: "",
  payout: "",
};

const notPaid = "This is not a receipt:";
const sentences: Readonly<Record<Exclude<MovementState, "accepted">, string>> = {
  pending: `${notPaid} the payment is under way and not final.`,
  refused: `${notPaid} the service refused it, and no money moved.`,
  reversed: `${notPaid} the payment was reversed.`,
  unsent: `${notPaid} it was not sent, and no money moved.`,
  unknown: `${notPaid} it is not known whether money moved.`,
  prepared: `${notPaid} it is being sent.`,
  sending: `${notPaid} it is not known whether money moved.`,
};

const claims: Readonly<Partial<Record<MovementState, string>>> = {
  refused: "that it was refused",
  reversed: "that it was paid and then reversed",
};

function notPaidSentence(state: Exclude<MovementState, "accepted">, grounds: Evidence | null): string {
  const [by, claim] = [unconfirmedBy(grounds), claims[state]];
  if (by === undefined || claim === undefined) return sentences[state];
  return `${notPaid} ${by.toLowerCase()} says ${claim}; the service did not confirm it.`;
}

/** By the evidence that it was paid. A person's word or an unsigned callback is kept; the service confirmed neither. */
const paidSentences: Readonly<Record<Evidence, string>> = {
  answer: "The service confirmed this payment.",
  callback:
    "An unsigned callback to the order's secret address says that this was paid; the service did not confirm it.",
  status: "The service said that this was paid when it was asked.",
  statement: "The statement has a row of this payment.",
  person: "A person said that this was paid; the service did not confirm it.",
};

const evidenceWords: Readonly<Record<Evidence, string>> = {
  answer: "the service's answer",
  callback: "an unsigned callback",
  status: "the service's word when it was asked",
  statement: "a row of the statement",
  person: "a person's word",
};

function shortened(text: string): string {
  return text.length <= descriptionMaxChars ? text : `${text.slice(0, descriptionMaxChars).toWellFormed()}…`;
}

/**
 * A receipt as a table for people: the amount shows its currency, and an empty `takenBackAt` is left out. Moments keep
 * their zone: who is given a receipt may live in another.
 */
export function receiptTable({ record }: Receipt): Pick<RecordReport, "columns" | "record" | "currency"> {
  const left = new Set(["currency", ...(record["takenBackAt"] === null ? ["takenBackAt"] : [])]);
  return {
    columns: receiptFields
      .filter(({ name }) => !left.has(name))
      .map((field) => ({ ...field, kind: field.kind === "time" ? "id" : field.kind })),
    record: Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name))),
    currency: typeof record["currency"] === "string" ? record["currency"] : undefined,
  };
}

/** The facts of a receipt for a person, each with its name; unknown ones are left out. */
export function receiptLines({ record, money }: Receipt): [string, string][] {
  const shown: [string, string][] = [["Amount", money]];
  for (const { name, title = name } of receiptFields) {
    const value = record[name];
    if (typeof value !== "string" || value === "" || skipped.has(name)) continue;
    shown.push([title.charAt(0).toUpperCase() + title.slice(1), value]);
  }
  return shown;
}

const skipped: ReadonlySet<string> = new Set(["receipt", "amount", "currency"]);
