import type { Ledger, LedgerAccount } from "../ledger/ledger.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { Scope } from "./booked-row.ts";
import type { TakenFee } from "./fee-payments.ts";
import { feePayments } from "./fee-payments.ts";
import type { Interval } from "./intervals.ts";
import { intervalOf } from "./intervals.ts";
import type { FlowKind, Kinds } from "./kinds.ts";
import { percentOf } from "./share.ts";

/** The service's fees for one kind of payment in one account. */
export interface Fee {
  /** Empty for the whole period. */
  readonly interval: string;
  readonly account: LedgerAccount;
  /** What the fee was for. */
  readonly kind: FlowKind;
  readonly count: number;
  /** Without sign, less refunds. */
  readonly sum: Decimal;
  /** The amounts that the fees belong to, without sign. */
  readonly amounts: Decimal;
  /** `sum` as a percentage of `amounts`; null where these are zero. */
  readonly percent: Decimal | null;
}

type Sums = { -readonly [K in keyof Omit<Fee, "percent">]: Fee[K] };

/** Fees by interval, account and kind of payment. */
export async function feesOf(
  ledger: Ledger,
  scope: Scope,
  kinds: Kinds,
  by: Interval | undefined,
): Promise<readonly Fee[]> {
  const all = new Map<string, Sums>();
  const { zero } = Decimal;
  const sumsOf = (account: LedgerAccount, { day, kind }: TakenFee) => {
    const interval = by === undefined ? "" : intervalOf(day, by);
    const key = [interval, account.number, kind].join("\t");
    const sums = all.get(key) ?? { interval, account, kind, count: 0, sum: zero, amounts: zero };
    all.set(key, sums);
    return sums;
  };
  const payments = await feePayments(ledger, scope, kinds, ({ account, change }, fee) => {
    const sums = sumsOf(account, fee);
    sums.count += 1;
    sums.sum = sums.sum.subtract(change);
  });
  for (const { account, fee, amount } of payments.values()) {
    const sums = sumsOf(account, fee);
    sums.amounts = sums.amounts.add(amount);
  }
  return [...all.values()]
    .map((fee) => ({ ...fee, percent: percentOf(fee.sum, fee.amounts) }))
    .toSorted((a, b) => (a.interval < b.interval ? -1 : Number(a.interval > b.interval)));
}
