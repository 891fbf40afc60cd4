import { Decimal } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";
import { counted } from "../values/text/counted.ts";
import { pathWord } from "../values/text/path-name.ts";
import { dayOfTimestamp, inDarEsSalaam, momentOf } from "../values/time/wall-time.ts";
import type { Payment } from "./payments.ts";
import type { OrderFacts, Trace, TraceEvent } from "./trace.ts";

/**
 * One payment for a person: its state in one sentence, and all its events in order.
 * @param hasLedger whether rows were looked at: without them nothing can be said of the statement
 */
export function paymentOf(traces: readonly Trace[], hasLedger: boolean): Payment {
  const order = traces.find((trace) => trace.order !== undefined);
  const rows = traces.filter(({ source, isFee }) => source === "ledger" && isFee !== true);
  const backs = takenBack(rows, order?.order);
  const events = traces
    .flatMap((trace) =>
      backs.has(trace) ? trace.events.map((event): TraceEvent => ({ ...event, what: "taken back" })) : trace.events,
    )
    .toSorted(byTime);
  const facts = { order, rows: rows.filter((row) => !backs.has(row)), backs, traces, hasLedger };
  const state = stateOf(facts);
  return { state, sentence: sentenceOf(facts), events };
}

/**
 * When the statement shows that an order was taken back, as its row says it: where no more rows of it are left than were
 * taken back, and one of those goes the other way than the order.
 */
export function takenBackAt(traces: readonly Trace[], isLeaving: boolean): string | undefined {
  const rows = traces.filter(({ source, isFee }) => source === "ledger" && isFee !== true);
  const backs = takenBack(rows, traces.find(({ order }) => order !== undefined)?.order);
  if (rows.length > 2 * backs.size) return undefined;
  // Of a transfer the receiving account shows the same the other way.
  return [...backs].findLast(({ change }) => change !== undefined && change.sign < 0 !== isLeaving)?.events[0]?.at;
}

/** Events of statements, in order; earlier events are not in this list. */
const booked: readonly TraceEvent["what"][] = ["row", "fee", "taken back"];

interface Facts {
  readonly order: Trace | undefined;
  readonly rows: readonly Trace[];
  readonly backs: ReadonlySet<Trace>;
  readonly traces: readonly Trace[];
  readonly hasLedger: boolean;
}

/**
 * Rows that undo an earlier one of the same account. A row that changes its account as the order does undoes nothing:
 * what went the other way before it was another payment.
 */
function takenBack(rows: readonly Trace[], order: OrderFacts | undefined): ReadonlySet<Trace> {
  const backs = new Set<Trace>();
  const left = new Map<string, number>();
  const signOf = ({ events: [event] }: Trace) => order?.signOn(event?.account ?? "");
  const isOwn = (row: Trace) => row.change !== undefined && row.change.sign === signOf(row);
  const ownFirst = (one: Trace, other: Trace) => Number(isOwn(other)) - Number(isOwn(one));
  for (const row of rows.toSorted((a, b) => byMoment(a.events[0], b.events[0]) || ownFirst(a, b))) {
    const { change } = row;
    if (change === undefined || change.isZero) continue;
    const [own, paid] = [change, change.negate()].map((each) => `${row.events[0]?.account} ${each.trimmed()}`);
    const waiting = left.get(paid ?? "") ?? 0;
    if (waiting === 0 && signOf(row) !== undefined && !isOwn(row)) continue;
    if (waiting > 0 && !isOwn(row)) {
      left.set(paid ?? "", waiting - 1);
      backs.add(row);
    } else left.set(own ?? "", (left.get(own ?? "") ?? 0) + 1);
  }
  return backs;
}

function stateOf({ order, rows, backs }: Facts): string {
  const state = order?.order?.state;
  if (backs.size > 0 && rows.length <= backs.size && (state === undefined || state === "accepted")) return "reversed";
  if (state !== undefined) return state;
  return rows.length > 0 ? "booked" : "notified";
}

function sentenceOf({ order, rows, backs, traces, hasLedger }: Facts): string {
  const parts: string[] = [];
  const state = order?.order?.state;
  if (order?.order !== undefined) parts.push(order.order.sentence);
  const [first] = rows;
  if (first !== undefined) parts.push(order === undefined ? rowWords(first, rows.length) : bookedWords(rows));
  else if (order !== undefined && hasLedger && (state === "accepted" || state === "unknown" || state === "pending"))
    parts.push("The ledger has no row of it.");
  const fees = traces.filter(({ isFee }) => isFee === true);
  const fee = fees.reduce((sum, { change }) => sum.subtract(change ?? Decimal.zero), Decimal.zero);
  if (fees.length > 0) parts.push(`Its fee was ${money(fee, fees[0])}.`);
  const [back] = backs;
  if (back !== undefined) parts.push(`It was taken back on ${dayIn(back)}.`);
  const webhooks = traces.filter(({ source }) => source === "inbox");
  if (webhooks.length > 0) {
    const what = order === undefined && rows.length === 0 ? whatTold(webhooks[0]) : "it";
    parts.push(`${counted(webhooks.length, "webhook")} reported ${what}.`);
  }
  const isOpen = state === "pending" || state === "unknown";
  const reference = order?.events[0]?.reference ?? "";
  if (isOpen && first !== undefined && reference !== "")
    parts.push(`The journal still has it as ${state}. Settle it: partner journal resolve ${pathWord(reference)}`);
  return parts.join(" ");
}

function bookedWords(rows: readonly Trace[]): string {
  const accounts = [...new Set(rows.map((row) => row.events[0]?.account ?? ""))];
  return `Booked on ${dayIn(rows[0])} in ${accounts.join(" and ")}.`;
}

function rowWords(row: Trace, count: number): string {
  const [event] = row.events;
  const amount = row.change ?? Decimal.zero;
  const way = amount.sign < 0 ? "left" : "came into";
  const others = count > 1 ? `, with ${counted(count - 1, "further row")}` : "";
  return `${money(amount.abs(), row)} ${way} ${event?.account ?? ""} on ${dayIn(row)}, reference ${event?.reference ?? ""}${others}.`;
}

function whatTold(webhook: Trace | undefined): string {
  const [event] = webhook?.events ?? [];
  if (event === undefined) return "it";
  const amount = event.amount ?? Decimal.zero;
  return `${money(amount.abs(), webhook)} ${amount.sign < 0 ? "from" : "into"} ${event.account}, reference ${event.reference}`;
}

function money(amount: Decimal, trace: Trace | undefined): string {
  const currency = trace?.events[0]?.currency ?? "";
  return `${currency} ${formatMoney(amount, currency === "" ? undefined : currency)}`.trimStart();
}

function dayIn(trace: Trace | undefined): string {
  const at = trace?.events[0]?.at ?? "";
  return dayOfTimestamp(at) ?? at;
}

function byTime(one: TraceEvent | undefined, other: TraceEvent | undefined): number {
  return byMoment(one, other) || outFirst(one, other);
}

/** Events without a time come last. */
function byMoment(one: TraceEvent | undefined, other: TraceEvent | undefined): number {
  const [a, b] = [one, other].map((event) => momentOf(inDarEsSalaam(event?.at ?? "")));
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a.day.compare(b.day) || a.seconds - b.seconds;
}

/** Orders events of the same moment: a row comes before its fee, and the paying one of two rows first. */
function outFirst(one: TraceEvent | undefined, other: TraceEvent | undefined): number {
  return rank(one) - rank(other) || (one?.what === "row" ? (one.amount?.sign ?? 0) - (other?.amount?.sign ?? 0) : 0);
}

function rank(event: TraceEvent | undefined): number {
  return booked.indexOf(event?.what ?? "ordered");
}
