import type { Ledger } from "../ledger/ledger.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { Scope } from "./booked-row.ts";
import { rowsOf } from "./booked-row.ts";
import type { Interval } from "./intervals.ts";
import { intervalOf } from "./intervals.ts";
import type { FlowKind, Kinds } from "./kinds.ts";
import { flowKinds } from "./kinds.ts";

/** What moved for one kind of reason, in one interval and currency. */
export interface Flow {
  readonly interval: string;
  readonly kind: FlowKind;
  readonly currency: string;
  readonly count: number;
  readonly in: Decimal;
  /** Without sign. */
  readonly out: Decimal;
  /** `in − out`. */
  readonly net: Decimal;
}

/** What moved and why, by interval. */
export async function flowOf(ledger: Ledger, scope: Scope, kinds: Kinds, by: Interval): Promise<readonly Flow[]> {
  const flows = new Map<string, { -readonly [K in keyof Flow]: Flow[K] }>();
  for await (const row of rowsOf(ledger, scope)) {
    const [interval, kind, { currency }] = [intervalOf(row.facts.day, by), kinds.of(row), row.account];
    const key = [interval, kind, currency].join("\t");
    const { zero } = Decimal;
    const flow = flows.get(key) ?? { interval, kind, currency, count: 0, in: zero, out: zero, net: zero };
    flows.set(key, flow);
    flow.count += 1;
    if (row.change.sign < 0) flow.out = flow.out.subtract(row.change);
    else flow.in = flow.in.add(row.change);
    flow.net = flow.net.add(row.change);
  }
  return [...flows.values()].toSorted(
    (a, b) =>
      compare(a.interval, b.interval) ||
      compare(a.currency, b.currency) ||
      flowKinds.indexOf(a.kind) - flowKinds.indexOf(b.kind),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
