import { idsOf, namesOther } from "./gather.ts";
import type { Trace, TraceEvent } from "./trace.ts";

/** Everything that is known of one payment. */
export interface Payment {
  /** The order's state; `booked`, `reversed` or `notified` where no order of ours is known. */
  readonly state: string;
  readonly sentence: string;
  /** In the order in which it happened. */
  readonly events: readonly TraceEvent[];
}

/** Puts together what belongs together: one group for each payment, none of which has two orders. */
export function groupTraces(traces: readonly Trace[]): readonly (readonly Trace[])[] {
  const orders = traces.filter(({ order }) => order !== undefined);
  const groups = orders.map((order) => [order]);
  const loose: Trace[] = [];
  for (const trace of traces) {
    if (trace.order !== undefined) continue;
    const own = ownGroups(trace, groups);
    if (own.length === 0) loose.push(trace);
    for (const group of own) group.push(trace);
  }
  return [...groups, ...groupLoose(loose)];
}

/** The orders that a trace is of: those that share an id, else those that it names; of several the one it fits. */
function ownGroups(trace: Trace, groups: readonly Trace[][]): readonly Trace[][] {
  const ids = new Set(idsOf(trace));
  const sharing = groups.filter((group) => orderOf(group).some((order) => idsOf(order).some((id) => ids.has(id))));
  const near =
    sharing.length > 0 ? sharing : groups.filter((group) => orderOf(group).some((one) => namesOther(trace, one)));
  if (near.length < 2) return near;
  const fitting = near.filter((group) =>
    orderOf(group).some(({ amounts, order }) => {
      const isAmount =
        trace.isFee === true || amounts.some((amount) => trace.amounts.some((each) => each.equals(amount)));
      const isAccount = order?.accounts.some((account) => trace.events.some((event) => event.account === account));
      return isAmount && isAccount === true;
    }),
  );
  return fitting.length > 0 ? fitting : near;
}

function orderOf(group: readonly Trace[]): readonly Trace[] {
  return group.filter(({ order }) => order !== undefined);
}

/** Traces without an order are of one payment where they share an id, or one names the other. */
function groupLoose(traces: readonly Trace[]): Trace[][] {
  const byId = new Map<string, Trace[]>();
  const groups = new Set<Trace[]>();
  const merge = (into: Trace[], from: Trace[]): void => {
    if (into === from) return;
    into.push(...from);
    groups.delete(from);
    for (const [id, group] of byId) if (group === from) byId.set(id, into);
  };
  for (const trace of traces) {
    const own: Trace[] = [trace];
    groups.add(own);
    let group = own;
    for (const id of idsOf(trace)) {
      const known = byId.get(id);
      if (known === undefined) byId.set(id, group);
      else if (known !== group) {
        merge(known, group);
        group = known;
      }
    }
  }
  for (const group of groups)
    for (const other of groups)
      if (group !== other && other.some((trace) => group.some((one) => namesOther(trace, one)))) merge(group, other);
  return [...groups];
}
