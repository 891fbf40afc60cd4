import { Course } from "../evidence/course.ts";
import { Decimal } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";
import { counted } from "../values/text/counted.ts";
import { pathWord } from "../values/text/path-name.ts";
import { dayOfTimestamp, inDarEsSalaam, momentOf } from "../values/time/wall-time.ts";
import type { Payment } from "./payments.ts";
import type { OrderFacts, Trace, TraceEvent } from "./trace.ts";

/**
 * A payment for people: its state, a few sentences about it, and all its events in order.
 * @param hasLedger false where no ledger was read: then nothing can be said about rows
 */
export function paymentOf(traces: readonly Trace[], hasLedger: boolean): Payment {
  const order = traces.find((trace) => trace.order !== undefined);
  const booked = bookedIn(traces, order?.order);
  const facts = { order, traces, hasLedger, ...booked };
  return { state: stateOf(facts), sentence: sentenceOf(facts), events: eventsOf(traces, booked.backs) };
}

/** When an order was reversed completely, as written in the statement's row; undefined where it wasn't. */
export function takenBackAt(traces: readonly Trace[], isLeaving: boolean): string | undefined {
  const booked = bookedIn(traces, traces.find(({ order }) => order !== undefined)?.order);
  if (!isTakenBack(booked)) return undefined;
  // A transfer's receiving account shows the same in the other direction.
  return booked.backs.findLast(({ change }) => change !== undefined && change.sign < 0 !== isLeaving)?.events[0]?.at;
}

/** The rows of a payment, without its fees. */
interface Booked {
  /** Rows that reversed nothing, the oldest first. */
  readonly rows: readonly Trace[];
  readonly backs: readonly Trace[];
  /** What the rows did on each account. */
  readonly courses: ReadonlyMap<string, Course<Trace>>;
}

interface Facts extends Booked {
  readonly order: Trace | undefined;
  readonly traces: readonly Trace[];
  readonly hasLedger: boolean;
}

function bookedIn(traces: readonly Trace[], order: OrderFacts | undefined): Booked {
  const rows = traces.filter(({ source, isFee }) => source === "ledger" && isFee !== true);
  const courses = new Map<string, Course<Trace>>();
  const inOrder = rows.toSorted((one, other) => byMoment(one.events[0], other.events[0]) || byPlace(one, other));
  for (const row of inOrder) {
    const { account = "", at = "" } = row.events[0] ?? {};
    const course = courses.get(account) ?? new Course(order?.signOn(account));
    courses.set(account, course);
    if (row.change !== undefined) course.add(row, row.change, at);
  }
  const backs = new Set([...courses.values()].flatMap((course) => course.backs));
  return {
    rows: inOrder.filter((row) => !backs.has(row)),
    backs: inOrder.filter((row) => backs.has(row)),
    courses,
  };
}

/** True where nothing of it is left. Never with a row without an amount, which could be anything. */
function isTakenBack({ rows, backs, courses }: Booked): boolean {
  const isAllBack = [...courses.values()].every(({ standing }) => standing.length === 0);
  return backs.length > 0 && isAllBack && rows.every(({ change }) => change !== undefined);
}

function stateOf({ order, ...booked }: Facts): string {
  const state = order?.order?.state;
  if ((state === undefined || state === "accepted") && isTakenBack(booked)) return "reversed";
  if (state !== undefined) return state;
  return booked.rows.length > 0 ? "booked" : "notified";
}

function sentenceOf(facts: Facts): string {
  const { order, rows, traces, hasLedger } = facts;
  const parts: string[] = [];
  const state = order?.order?.state;
  if (order?.order !== undefined) parts.push(order.order.sentence(order.order.history));
  const [first] = rows;
  if (first !== undefined) parts.push(order === undefined ? rowWords(first, rows.length) : bookedWords(rows));
  else if (order !== undefined && hasLedger && (state === "accepted" || state === "unknown" || state === "pending"))
    parts.push("The ledger has no row of it.");
  const fees = traces.filter(({ isFee }) => isFee === true);
  const fee = fees.reduce((sum, { change }) => sum.subtract(change ?? Decimal.zero), Decimal.zero);
  if (fees.length > 0) parts.push(`Its fee was ${money(fee, fees[0])}.`);
  parts.push(...backWords(facts));
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

/** What was reversed, and if something is left, what the rows add up to; without that, what several rows add up to. */
function backWords(booked: Facts): readonly string[] {
  const { backs, courses } = booked;
  const back = backs.at(-1);
  if (back === undefined) return sumWords(booked);
  if (isTakenBack(booked)) return [`It was reversed on ${dayIn(back)}.`];
  const touched = [...courses].filter(([, course]) => course.backs.length > 0);
  const again = touched.map(([, course]) => course.again).find((row) => row !== undefined);
  const isPart = touched.some(([, { standing }]) => standing.length > 0);
  const left = [...courses.values()].flatMap(({ standing }) => netWords(standing));
  const what =
    again !== undefined
      ? `It was reversed on ${dayIn(back)} and booked again on ${dayIn(again)}`
      : isPart
        ? `Part of it was reversed on ${dayIn(back)}`
        : `It was reversed on ${dayIn(back)} in ${touched.map(([account]) => account).join(" and ")}`;
  return [`${what}.`, ...(left.length === 0 ? [] : [`In all, ${left.join(" and ")}.`])];
}

/** What an account's rows add up to, such as a payment and what came back of it; nothing for one row as ordered. */
function sumWords({ rows, order }: Facts): readonly string[] {
  const isOrdered = ({ amounts }: Trace) =>
    order === undefined || order.amounts.some((amount) => amounts.some((each) => each.equals(amount)));
  const sums = [...Map.groupBy(rows, (row) => row.events[0]?.account ?? "")].flatMap(([account, own]) => {
    if (own.some(({ change }) => change === undefined) || (own.length === 1 && own.every(isOrdered))) return [];
    const [left] = netWords(own);
    return left === undefined ? [`its rows in ${account} add up to zero`] : [left];
  });
  return sums.length === 0 ? [] : [`In all, ${sums.join(" and ")}.`];
}

/** `TZS 100.00 left 9000112233`: the sum of one account's rows. */
function netWords(rows: readonly Trace[]): string[] {
  const [first] = rows;
  const net = rows.reduce((sum, { change }) => sum.add(change ?? Decimal.zero), Decimal.zero);
  return first === undefined || net.isZero ? [] : [movedWords(first, net)];
}

function movedWords(row: Trace, amount: Decimal): string {
  const account = row.events[0]?.account ?? "";
  return `${money(amount.abs(), row)} ${amount.sign < 0 ? "left" : "came into"} ${account}`;
}

/** `Booked on 2026-10-31 in 9000112233 and on 2026-11-01 in 9000112244.`: of each account its first row. */
function bookedWords(rows: readonly Trace[]): string {
  const firstDays = new Map(rows.toReversed().map((row) => [row.events[0]?.account ?? "", dayIn(row)]));
  const accounts = [...new Set(rows.map((row) => row.events[0]?.account ?? ""))];
  const byDay = Map.groupBy(accounts, (account) => firstDays.get(account) ?? "");
  return `Booked ${[...byDay].map(([day, own]) => `on ${day} in ${own.join(" and ")}`).join(" and ")}.`;
}

function rowWords(row: Trace, count: number): string {
  const others = count > 1 ? `, with ${counted(count - 1, "further row")}` : "";
  const reference = row.events[0]?.reference ?? "";
  return `${movedWords(row, row.change ?? Decimal.zero)} on ${dayIn(row)}, reference ${reference}${others}.`;
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

/**
 * All events in order. Those of one moment are in the order of the statements, with rows of several accounts
 * interleaved.
 */
function eventsOf(traces: readonly Trace[], backs: readonly Trace[]): readonly TraceEvent[] {
  const turns = new Map<string, number>();
  const undoing = new Set(backs);
  const events = traces.toSorted(byPlace).flatMap((trace) =>
    trace.events.map((each) => {
      const event: TraceEvent = undoing.has(trace) ? { ...each, what: "taken back" } : each;
      if (trace.source !== "ledger") return { event, turn: -1 };
      const turn = (turns.get(event.account) ?? 0) + (trace.isFee === true ? 0 : 1);
      turns.set(event.account, turn);
      return { event, turn };
    }),
  );
  return events
    .toSorted(
      ({ event: one, turn }, { event: other, turn: otherTurn }) =>
        byMoment(one, other) || turn - otherTurn || (turn < 0 ? 0 : outFirst(one, other)),
    )
    .map(({ event }) => event);
}

function byPlace({ place: one = -1 }: Trace, { place: other = -1 }: Trace): number {
  return one - other;
}

/** Events without a time come last. */
function byMoment(one: TraceEvent | undefined, other: TraceEvent | undefined): number {
  const [a, b] = [one, other].map((event) => momentOf(inDarEsSalaam(event?.at ?? "")));
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a.day.compare(b.day) || a.seconds - b.seconds;
}

/** A row comes before its fee, and the paying account's row before the receiving account's. */
function outFirst(one: TraceEvent, other: TraceEvent): number {
  return (
    Number(one.what === "fee") - Number(other.what === "fee") || (one.amount?.sign ?? 0) - (other.amount?.sign ?? 0)
  );
}
