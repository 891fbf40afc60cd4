import type { Ledger, LedgerAccount } from "../ledger/ledger.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { rowsOf, withNeighbours } from "./booked-row.ts";
import type { FlowKind, Kinds } from "./kinds.ts";
import { feeIdsOf } from "./kinds.ts";

/** A fee that was taken, or given back. */
export interface TakenFee {
  /** `YYYY-MM-DD`: the day that the fee counts for. */
  readonly day: string;
  /** What the fee was for. */
  readonly kind: FlowKind;
}

/** A payment, and the fee that belongs to it. */
export interface FeePayment {
  readonly account: LedgerAccount;
  readonly fee: TakenFee;
  /** Without sign. */
  readonly amount: Decimal;
}

interface Payment {
  /** The row's number in the ledger. */
  readonly number: number;
  readonly day: string;
  readonly amount: Decimal;
}

/** The fees and payments of one reference in one account, each oldest first. */
interface Pairing {
  readonly account: LedgerAccount;
  readonly fees: (TakenFee & { readonly isReturned: boolean })[];
  readonly payments: Payment[];
}

/**
 * The payments that the fees of a period were taken for, by the row's number in the ledger. A payment can be before the
 * period, and a payment's fee after it. The rows are read twice.
 * @param each called with every fee of the period
 */
export async function feePayments(
  ledger: Ledger,
  scope: Scope,
  kinds: Kinds,
  each: (row: BookedRow, fee: TakenFee) => void = () => undefined,
): Promise<ReadonlyMap<number, FeePayment>> {
  const pairings = new Map<string, Pairing>();
  const around = withNeighbours(scope);
  for await (const row of rowsOf(ledger, around)) {
    const { account, facts, change } = row;
    if (!facts.isFee) continue;
    const fee = { day: facts.day, kind: kinds.ofFee(row), isReturned: change.sign > 0 };
    if (isWithin(fee, scope)) each(row, fee);
    for (const key of feeIdsOf(row).map((id) => keyOf(row, id))) {
      const pairing = pairings.get(key);
      if (pairing === undefined) pairings.set(key, { account, fees: [fee], payments: [] });
      else pairing.fees.push(fee);
    }
  }
  for await (const row of rowsOf(ledger, around)) {
    if (row.facts.isFee) continue;
    const own = row.ids.map((id) => pairings.get(keyOf(row, id))).find((pairing) => pairing !== undefined);
    own?.payments.push({ number: row.number, day: row.facts.day, amount: row.change.abs() });
  }
  const paid = new Map<number, FeePayment>();
  for (const pairing of pairings.values())
    for (const [{ number, amount }, fee] of pairsIn(pairing, scope))
      paid.set(number, { account: pairing.account, fee, amount });
  return paid;
}

function keyOf({ account }: BookedRow, id: string): string {
  return `${account.number}\t${id}`;
}

function isWithin({ day }: { readonly day: string }, { startDay, endDay }: Scope): boolean {
  return day >= startDay && day <= endDay;
}

/** Pairs one by one where there are as many fees as payments; otherwise, all payments that may be meant. */
function* pairsIn({ fees, payments }: Pairing, scope: Scope): Generator<[Payment, TakenFee]> {
  const [taken, returned] = [fees.filter(({ isReturned }) => !isReturned), fees.filter(({ isReturned }) => isReturned)];
  const own = [...taken, ...returned].filter((fee) => isWithin(fee, scope));
  const [first] = own;
  if (first === undefined) return;
  const isEven = taken.length === payments.length && taken.some((fee) => isWithin(fee, scope));
  const within = payments.filter((payment) => isWithin(payment, scope));
  for (const [index, payment] of (isEven || within.length === 0 ? payments : within).entries()) {
    const fee = isEven ? taken[index] : (own.find((one) => one.day >= payment.day) ?? first);
    if (fee !== undefined && isWithin(fee, scope)) yield [payment, fee];
  }
}
