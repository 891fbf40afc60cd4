import { memberText } from "../contract/webhooks/envelope.ts";
import { amountOf } from "../values/money/amount.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import { paymentIn } from "../webhooks/inbox/inbox-report.ts";
import type { TextHints } from "../values/text/text-hints.ts";
import type { EventTrail, Inbox, Kept } from "../webhooks/inbox/inbox.ts";
import { payloadOf } from "../webhooks/listen/event-line.ts";
import { amountsOf } from "./journal-traces.ts";
import { hinted, indexed } from "./trails/quick-sources.ts";
import type { NumbersIndex, Trail } from "./trails/trail.ts";
import { remembered } from "./remembered.ts";
import type { Trace, TraceSource } from "./trace.ts";

/** Webhooks as traces, forged ones excluded. */
export function inboxTraces(open: () => AsyncIterable<Kept>): TraceSource {
  return {
    of: "inbox",
    name: "the webhook inbox",
    traces: remembered(async function* () {
      for await (const kept of open()) yield webhookTrace(kept);
    }),
  };
}

/** The same with an index, which gives the numbers of events that may match; without one, all are read. */
export function indexedInboxTraces(events: EventTrail, index: NumbersIndex, all: TraceSource): TraceSource {
  return indexed(all, index, function* (numbers) {
    for (const kept of events.numbered(numbers)) yield webhookTrace(kept);
  });
}

/** The same for an inbox on a server, which searches texts itself. */
export function hintedInboxTraces(inbox: Inbox, all: TraceSource): TraceSource {
  async function* holding(hints: TextHints) {
    for await (const kept of inboxEvents(inbox, hints)) yield webhookTrace(kept);
  }
  // An event's amount is the difference of two, and appears in none of its texts.
  return hinted(all, (hints) => (hints.some((hint) => "amount" in hint) ? undefined : holding(hints)));
}

/** Fewer events are read faster than an index is built. */
const minEvents = 5_000;
/** Events that are indexed at once. */
const stretchEvents = 20_000;

/** The trail from which an inbox is indexed. */
export function inboxTrail(events: EventTrail): Trail {
  return {
    kind: "events",
    origin: "inbox",
    isLong: () => events.hasMoreThan(minEvents),
    stretchAfter: (line) => events.lastOf(line, stretchEvents),
    markOf: (line) => events.idOf(line),
    *changed(line, last) {
      for (const kept of events.between(line, last)) yield { number: kept.number, findable: webhookTrace(kept) };
    },
  };
}

/** The events of an inbox, oldest first. */
export function inboxEvents(inbox: Inbox, holding?: TextHints): AsyncIterable<Kept> {
  return inbox.list({ states: ["new", "delivered", "failed", "quarantined"], holding });
}

function webhookTrace(kept: Kept): Trace {
  const payload = payloadOf(kept) ?? {};
  const transaction = partOf(payload, "transaction");
  const text = (name: string) => memberText(transaction, name) ?? "";
  const { account, currency, reference, payer } = paymentIn(payload);
  const [credit, debit] = [amountOf(transaction["amountCredit"]), amountOf(transaction["amountDebit"])];
  const change = (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero);
  const party = partOf(payload, "counterparty");
  return {
    source: "inbox",
    key: String(kept.number),
    ids: [kept.id, text("reference"), text("transactionId")].filter((id) => id !== ""),
    aliases: [text("paymentReference"), kept.requestId ?? ""].filter((id) => id !== ""),
    words: [text("description"), text("narration"), text("paymentReference")].join("\n"),
    parties: [payer ?? "", account ?? "", ...Object.values(party).filter((each) => typeof each === "string")],
    amounts: amountsOf(change),
    events: [
      {
        at: isoDarEsSalaam(kept.receivedAt),
        what: "webhook",
        account: account ?? "",
        amount: change,
        currency: currency ?? "",
        reference: reference ?? "",
        text: `${kept.state}: ${text("description")}`,
      },
    ],
  };
}

function partOf(payload: JsonObject, name: string): JsonObject {
  const part = Object.hasOwn(payload, name) ? payload[name] : undefined;
  return isJsonObject(part) ? part : {};
}
