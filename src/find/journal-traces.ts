import { answerIds } from "../evidence/answer-ids.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement, MovementEvent, Step } from "../journal/movement.ts";
import { archiveOf } from "../journal/archive/archive.ts";
import { isFinal } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import {
  amountsIn,
  firstAmount,
  payerOf,
  payingWallet,
  receiverName,
  receiverOf,
  requestOf,
  requestText,
} from "../journal/requests/movement-request.ts";
import { Decimal } from "../values/money/decimal.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import type { OrderTrail } from "../journal/history/trail.ts";
import { hinted, indexed } from "./trails/quick-sources.ts";
import type { NumbersIndex, Trail } from "./trails/trail.ts";
import { remembered } from "./remembered.ts";
import type { Trace, TraceEvent, TraceSource, TraceWord } from "./trace.ts";

/** Words about orders: the outcome in a sentence, and the currency of a wallet. */
export interface OrderWords {
  readonly sentenceOf: (movement: Movement, history: readonly MovementEvent[]) => string;
  readonly currencyOf: (scope: string, wallet: string | undefined) => string | undefined;
}

/**
 * The orders of an account.
 * @param scope one of the account's scope names; the journal knows the others
 */
export function journalTraces(journal: Journal, scope: string, words: OrderWords): TraceSource {
  return {
    of: "journal",
    name: "the journal",
    traces: remembered(async function* () {
      for await (const movement of journal.list({ scope })) yield orderTrace(movement, words);
    }),
  };
}

/** The same for a journal on a server, which searches texts itself. */
export function hintedJournalTraces(journal: Journal, scope: string, words: OrderWords, all: TraceSource): TraceSource {
  return hinted(all, async function* (holding) {
    for await (const movement of journal.list({ scope, holding })) yield orderTrace(movement, words);
  });
}

/** These orders, without an index and without their history. */
export function orderTraces(orders: readonly Movement[], words: OrderWords): TraceSource {
  return {
    of: "journal",
    name: "the journal",
    async *traces() {
      for (const movement of orders) yield orderTrace(movement, words);
    },
  };
}

/** What an order can be found by. */
export function findableOrder(movement: Movement) {
  const { kind, id, reference, requestIds, batch } = movement;
  const request = requestOf(movement);
  const [payer = "", receiver] = [payerOf(kind, request), receiverOf(kind, request)?.account ?? ""];
  return {
    ids: [reference, ...answerIds(movement)],
    shortens: id,
    aliases: [id, ...requestIds, ...(batch === null ? [] : [batch.id])],
    words: requestText(request, movementForms[kind].narration) ?? "",
    parties: [payer, receiver, receiverName(kind, request) ?? ""].filter((party) => party !== ""),
    amounts: amountsIn(kind, request).map((each) => each.amount.abs()),
  };
}

/** The same with an index, which gives the numbers of orders that may match; without one, all are read. */
export function indexedJournalTraces(
  trail: OrderTrail,
  { scope, words, index }: { readonly scope: string; readonly words: OrderWords; readonly index: NumbersIndex },
  all: TraceSource,
): TraceSource {
  return indexed(all, index, function* (numbers) {
    for (const movement of trail.orders(scope, numbers)) yield orderTrace(movement, words);
  });
}

/** Fewer lines of history are read faster than an index is built. */
const minLines = 20_000;
/** Lines that are indexed at once. */
const stretchLines = 50_000;

/**
 * The trail from which a journal is indexed.
 * @param journal its id
 */
export function journalTrail(journal: string, trail: OrderTrail): Trail {
  return {
    kind: "orders",
    origin: journal,
    isLong: () => trail.lines() >= minLines,
    stretchAfter(line) {
      const lines = trail.lines();
      return line < lines ? Math.min(lines, line + stretchLines) : undefined;
    },
    markOf: (line) => trail.markOf(line),
    *changed(line, last) {
      for (const { number, movement } of trail.changed(line, last)) yield { number, findable: findableOrder(movement) };
    },
  };
}

/** An order without its history. */
function orderTrace(movement: Movement, { sentenceOf, currencyOf }: OrderWords): Trace {
  const { kind, id, reference, openedAt, batch } = movement;
  const request = requestOf(movement);
  const form = movementForms[kind];
  const moved = firstAmount(kind, request);
  const [payer = "", receiver] = [payerOf(kind, request), receiverOf(kind, request)?.account ?? ""];
  const findable = findableOrder(movement);
  const amount = moved === undefined ? null : form.direction === "leaves" ? moved.amount.negate() : moved.amount;
  const [from, into] = [payingWallet(kind, request) ?? "", kind === "transfer" ? receiver : ""];
  const file = batch === null ? "" : `, row ${batch.row} of batch ${batch.id}`;
  return {
    source: "journal",
    key: id,
    ...findable,
    events: [
      {
        at: isoDarEsSalaam(openedAt),
        what: "ordered",
        account: payer,
        amount,
        currency: moved?.currency ?? currencyOf(movement.scope, moved?.wallet) ?? "",
        reference,
        text: `${form.noun}${receiver === "" ? "" : ` to ${receiver}`}${file}: ${findable.words}`,
      },
    ],
    order: {
      state: movement.state,
      sentence: (history) => sentenceOf(movement, history),
      history: [],
      isTagged: form.reference.as === "tag",
      accounts: [from, into].filter((one) => one !== ""),
      signOn(account) {
        if (form.direction === "comes in" || (into !== "" && account === into)) return 1;
        // Where the order names no wallet, any wallet may be the payer.
        return from === "" || account === from ? -1 : undefined;
      },
    },
  };
}

/** The trace of an order, with the events of its history. */
export function withHistory(trace: Trace, history: readonly MovementEvent[]): Trace {
  const [ordered] = trace.events;
  if (ordered === undefined || trace.order === undefined) return trace;
  const first = history[0];
  // An archived order has no line of its claim any more.
  const begun = first?.step === "claim" ? { ...ordered, at: isoDarEsSalaam(first.at) } : ordered;
  return {
    ...trace,
    events: [begun, ...history.flatMap((event) => historyEvents(event, ordered))],
    order: { ...trace.order, history },
  };
}

function historyEvents(event: MovementEvent, { account, reference }: TraceEvent): TraceEvent[] {
  const what = whatOf(event);
  if (what === undefined) return [];
  const { evidence, to } = event;
  const note = event.note ?? archiveOf(event) ?? null;
  const by =
    evidence === null ? "" : ` by ${evidence === "person" ? `a person (${event.who.user})` : `the ${evidence}`}`;
  const text = what === "sent" ? "the request left" : `${to}${by}${note === null ? "" : `: ${note}`}`;
  return [{ at: isoDarEsSalaam(event.at), what, account, amount: null, currency: "", reference, text }];
}

const stepWords: Readonly<Record<Exclude<Step, "claim" | "settle" | "prove">, TraceWord>> = {
  send: "sent",
  abandon: "given up",
  resolve: "resolved",
  overrule: "resolved",
  dispute: "contradicted",
  contradict: "contradicted",
  redact: "redacted",
  archive: "archived",
};

function whatOf({ step, to }: MovementEvent): TraceWord | undefined {
  if (step === "claim" || step === "prove") return undefined;
  if (step !== "settle") return stepWords[step];
  if (to === "unsent") return "not sent";
  return isFinal(to) || to === "pending" ? "answered" : "unknown";
}

/** The amounts without sign, missing and zero ones left out. */
export function amountsOf(...amounts: readonly (Decimal | undefined)[]): Decimal[] {
  return amounts.flatMap((amount) => (amount === undefined || amount.equals(Decimal.zero) ? [] : [amount.abs()]));
}
