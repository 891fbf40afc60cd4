import type { Ledger, LedgerAccount } from "../ledger/ledger.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { Scope } from "./booked-row.ts";
import { rowsOf } from "./booked-row.ts";
import type { Interval } from "./intervals.ts";
import { intervalOf } from "./intervals.ts";
import type { FlowKind, Kinds } from "./kinds.ts";
import { percentOf } from "./share.ts";

/** What the service took for one kind of payment in one account. */
export interface Fee {
  /** Empty for the whole period. */
  readonly interval: string;
  readonly account: LedgerAccount;
  /** What the fee was for. */
  readonly kind: FlowKind;
  readonly count: number;
  /** Without sign, less refunds. */
  readonly sum: Decimal;
  /** The amounts that the fees belong to, as far as they are in the period, without sign. */
  readonly amounts: Decimal;
  /** `sum` of `amounts`; null where there are none. */
  readonly percent: Decimal | null;
}

type Sums = { -readonly [K in keyof Omit<Fee, "percent">]: Fee[K] };

/** Fees by account and by what they were taken for. */
export async function feesOf(
  ledger: Ledger,
  scope: Scope,
  kinds: Kinds,
  by: Interval | undefined,
): Promise<readonly Fee[]> {
  const all = new Map<string, Sums>();
  for await (const row of rowsOf(ledger, scope)) {
    const { facts, account, change } = row;
    if (!facts.isFee && !kinds.hasFee(row)) continue;
    const interval = by === undefined ? "" : intervalOf(facts.day, by);
    const kind = kinds.ofFee(row);
    const key = [interval, account.number, kind].join("\t");
    const { zero } = Decimal;
    const sums = all.get(key) ?? { interval, account, kind, count: 0, sum: zero, amounts: zero };
    all.set(key, sums);
    if (facts.isFee) {
      sums.count += 1;
      sums.sum = sums.sum.subtract(change);
    } else sums.amounts = sums.amounts.add(change.abs());
  }
  const fees = [...all.values()].filter(({ count }) => count > 0);
  return fees
    .map((fee) => ({ ...fee, percent: percentOf(fee.sum, fee.amounts) }))
    .toSorted((a, b) => (a.interval < b.interval ? -1 : Number(a.interval > b.interval)));
}
