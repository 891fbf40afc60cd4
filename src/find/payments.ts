import { isFeeReference, paidInSuffix, parentReference } from "../contract/fee-row.ts";
import { looksLikeReference } from "../ledger/terms/names.ts";
import { idsOf, namesOf } from "./gather.ts";
import type { OrderFacts, Trace, TraceEvent } from "./trace.ts";

/** Everything known about one payment. */
export interface Payment {
  /** The order's state; `booked`, `reversed` or `notified` without an order of ours. */
  readonly state: string;
  readonly sentence: string;
  /** In the order in which it happened. */
  readonly events: readonly TraceEvent[];
}

/** Groups traces by payment. No group has two orders. */
export function groupTraces(traces: readonly Trace[]): readonly (readonly Trace[])[] {
  const orders = traces.filter(({ order }) => order !== undefined);
  const groups = orders.map((order) => [order]);
  const byId = new Map<string, number[]>();
  for (const [at, order] of orders.entries())
    for (const id of new Set(idsOf(order))) byId.set(id, [...(byId.get(id) ?? []), at]);
  const loose: Trace[] = [];
  for (const trace of traces) {
    if (trace.order !== undefined) continue;
    const own = ownOrders(trace, orders, byId);
    if (own.length === 0) loose.push(trace);
    for (const at of own) groups[at]?.push(trace);
  }
  return [...groups, ...groupLoose(withoutPaid(loose, groups))];
}

/**
 * Puts rows into the group of the fee that names them: where an answer was lost, the order lacks the service's own id
 * of the payment, but the fee has it.
 * @returns the rest
 */
function withoutPaid(loose: readonly Trace[], groups: readonly Trace[][]): readonly Trace[] {
  const named = new Map<string, Trace[] | null>();
  for (const group of groups)
    for (const id of group.filter(({ isFee }) => isFee === true).flatMap(idsOf)) {
      const known = named.get(id);
      named.set(id, known === undefined || known === group ? group : null);
    }
  return loose.filter((trace) => {
    const group = idsOf(trace)
      .map((id) => named.get(id) ?? undefined)
      .find((found) => found !== undefined);
    group?.push(trace);
    return group === undefined;
  });
}

/**
 * The orders that a trace belongs to: those that share an id, else those that it names; among several, those that fit.
 */
function ownOrders(
  trace: Trace,
  orders: readonly Trace[],
  byId: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const known = (ids: readonly string[]) =>
    [...new Set(ids.flatMap((id) => byId.get(id) ?? []))].toSorted((one, other) => one - other);
  const sharing = known(idsOf(trace));
  const near = sharing.length > 0 ? sharing : known(namesOf(trace).filter(looksLikeReference));
  if (near.length < 2) return near;
  const fitting = near.filter((at) => isFitting(trace, orders[at]));
  return narrowed(
    narrowed(near, fitting),
    fitting.filter((at) => isWrittenBy(trace, orders[at])),
  );
}

function narrowed(all: readonly number[], some: readonly number[]): readonly number[] {
  return some.length > 0 ? some : all;
}

/** True where a row or a fee has the order's reference as the order writes it: as its own, or as a tag. */
function isWrittenBy({ events }: Trace, order: Trace | undefined): boolean {
  const reference = order?.events[0]?.reference;
  const isOwn = events.some((event) => event.reference !== "" && parentReference(event.reference) === reference);
  return order?.order !== undefined && isOwn === !order.order.isTagged;
}

function isFitting(trace: Trace, order: Trace | undefined): boolean {
  const amounts = order?.amounts ?? [];
  const isAmount = trace.isFee === true || amounts.some((amount) => trace.amounts.some((each) => each.equals(amount)));
  return isAmount && order?.order !== undefined && isBookedBy(trace, order.order);
}

/**
 * True where the order moves money on an account of the trace, in the row's direction. A collection names no account,
 * and its fee is one for money that came in.
 */
function isBookedBy({ events, change, isFee }: Trace, { accounts, signOn }: OrderFacts): boolean {
  return events.some(({ account, reference }) => {
    if (accounts.length > 0 && !accounts.includes(account)) return false;
    if (isFee === true)
      return !isFeeReference(reference) || reference.endsWith(paidInSuffix) === (signOn(account) === 1);
    return change === undefined || change.isZero || change.sign === signOn(account);
  });
}

/** Traces without an order belong to one payment where they share an id, or one names the other. */
function groupLoose(traces: readonly Trace[]): Trace[][] {
  const groups = new Groups(traces.length);
  const byId = new Map<string, number>();
  for (const [at, trace] of traces.entries())
    for (const id of idsOf(trace)) {
      const known = byId.get(id);
      if (known === undefined) byId.set(id, at);
      else groups.join(known, at);
    }
  for (const [at, trace] of traces.entries())
    for (const name of namesOf(trace)) {
      const named = looksLikeReference(name) ? byId.get(name) : undefined;
      if (named !== undefined) groups.join(named, at);
    }
  const members = new Map<number, Trace[]>();
  for (const [at, trace] of traces.entries()) {
    const first = groups.firstOf(at);
    const group = members.get(first);
    if (group === undefined) members.set(first, [trace]);
    else group.push(trace);
  }
  return [...members.values()];
}

/** Numbers that are joined to groups; each group is known by its first number. */
class Groups {
  readonly #first: Int32Array;

  constructor(count: number) {
    this.#first = Int32Array.from({ length: count }, (_, at) => at);
  }

  firstOf(number: number): number {
    let at = number;
    for (let first = this.#first[at] ?? at; first !== at; first = this.#first[at] ?? at) {
      this.#first[at] = this.#first[first] ?? first;
      at = first;
    }
    return at;
  }

  join(one: number, other: number): void {
    const [a, b] = [this.firstOf(one), this.firstOf(other)];
    this.#first[Math.max(a, b)] = Math.min(a, b);
  }
}
