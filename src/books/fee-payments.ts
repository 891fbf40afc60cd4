import type { Ledger, LedgerAccount } from "../ledger/ledger.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { rowsOf, rowsUnder, withNeighbours } from "./booked-row.ts";
import type { FlowKind, Kinds } from "./kinds.ts";
import { feeIdsOf, suffixKind } from "./kinds.ts";

/** A fee that was taken, or given back. */
export interface TakenFee {
  /** `YYYY-MM-DD`: the day that the fee counts for. */
  readonly day: string;
  /** What the fee was for. */
  readonly kind: FlowKind;
}

/** What is kept of a payment: there can be a million of them. */
interface Payment {
  /** Of the row inside of the ledger. */
  readonly number: number;
  readonly account: LedgerAccount;
  /** `YYYY-MM-DD`: the day of its value date. */
  readonly day: string;
  /** Without sign. */
  readonly amount: Decimal;
  /** Where it lies farther from the period than the days around it. */
  readonly far: BookedRow | undefined;
}

/** A payment with the fee that belongs to its amount. */
export interface FeePayment extends Payment {
  readonly fee: TakenFee;
}

interface KnownFee extends TakenFee {
  /** Of the row inside of the ledger. */
  readonly number: number;
  readonly isReturned: boolean;
}

/** The fees and payments of one reference in one account, each oldest first. */
interface Pairing {
  readonly id: string;
  /** What its fees are for. */
  readonly kinds: Set<FlowKind>;
  readonly fees: KnownFee[];
  readonly payments: Payment[];
}

/** By account and id. */
type Pairings = ReadonlyMap<string, Pairing>;

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
    if (!row.facts.isFee) continue;
    const fee = knownFee(row, kinds);
    if (isWithin(fee, scope)) each(row, fee);
    for (const id of feeIdsOf(row)) {
      const pairing = pairings.get(keyOf(row, id)) ?? { id, kinds: new Set(), fees: [], payments: [] };
      pairings.set(keyOf(row, id), pairing);
      pairing.fees.push(fee);
      pairing.kinds.add(suffixKind(row));
    }
  }
  for await (const row of rowsOf(ledger, around)) if (!row.facts.isFee) addPayment(row, pairings, around);
  const whole = await wholePairings(ledger, scope, kinds, pairings);
  const paid = new Map<number, FeePayment>();
  for (const [key, pairing] of pairings)
    for (const [payment, fee] of pairsIn(pairing, whole.get(key), scope)) paid.set(payment.number, { ...payment, fee });
  return paid;
}

/** The whole history of each reference that has other payments than fees around the period. */
async function wholePairings(ledger: Ledger, scope: Scope, kinds: Kinds, pairings: Pairings): Promise<Pairings> {
  const around = withNeighbours(scope);
  const isPaid = new Set([...pairings.values()].flatMap((pairing) => (isEven(pairing) ? pairing.fees : [])));
  const isOpen = ({ fees }: Pairing) => fees.some((fee) => isWithin(fee, scope) && !fee.isReturned && !isPaid.has(fee));
  const open = [...pairings].filter(([, pairing]) => isOpen(pairing));
  const whole = new Map(open.map(([key, pairing]): [string, Pairing] => [key, { ...pairing, fees: [], payments: [] }]));
  for (const account of scope.accounts) {
    const own = open.filter(([key, { id }]) => key === keyOf({ account }, id));
    const ids = own.map(([, { id }]) => id);
    for await (const row of rowsUnder(ledger, account, ids, scope.asOf)) {
      if (!row.facts.isFee) addPayment(row, whole, around);
      else for (const id of feeIdsOf(row)) whole.get(keyOf(row, id))?.fees.push(knownFee(row, kinds));
    }
  }
  return whole;
}

function knownFee(row: BookedRow, kinds: Kinds): KnownFee {
  const { number, facts, change } = row;
  return { number, day: facts.day, kind: kinds.ofFee(row), isReturned: change.sign > 0 };
}

/** Adds a row to the fees of its reference, unless it is what came back of a payment. */
function addPayment(row: BookedRow, pairings: Pairings, around: Scope): void {
  const pairing = pairingOf(row, pairings);
  const { sign } = row.change;
  const isBack = (kind: FlowKind) => (kind === "collection" && sign < 0) || (kind === "payout" && sign > 0);
  if (pairing !== undefined && ![...pairing.kinds].every(isBack)) pairing.payments.push(paymentOf(row, around));
}

/** A row without a value date is among those that were read day by day. */
function paymentOf(row: BookedRow, around: Scope): Payment {
  const { number, account, facts, change } = row;
  const isFar = facts.day !== "" && !isWithin(facts, around);
  return { number, account, day: facts.day, amount: change.abs(), far: isFar ? row : undefined };
}

function pairingOf(row: BookedRow, pairings: Pairings): Pairing | undefined {
  return row.ids.map((id) => pairings.get(keyOf(row, id))).find((pairing) => pairing !== undefined);
}

function keyOf({ account }: Pick<BookedRow, "account">, id: string): string {
  return `${account.number}\t${id}`;
}

function isWithin({ day }: { readonly day: string }, { startDay, endDay }: Scope): boolean {
  return day >= startDay && day <= endDay;
}

/**
 * One by one where there are as many fees as payments, around the period or in the whole history. Else all that may be
 * meant: payments around the period, or the last one before each fee.
 */
function pairsIn(around: Pairing, whole: Pairing | undefined, scope: Scope): Generator<[Payment, TakenFee]> {
  if (!takenIn(around.fees).some((fee) => isWithin(fee, scope))) return likelyPairs(around, scope);
  const even = [around, whole].find((pairing) => pairing !== undefined && isEven(pairing));
  if (even !== undefined) return pairsInTurn(even, scope);
  return around.payments.length > 0 ? likelyPairs(around, scope) : lastPairs(whole ?? around, scope);
}

function* lastPairs({ fees, payments }: Pairing, scope: Scope): Generator<[Payment, TakenFee]> {
  for (const fee of takenIn(fees)) {
    const payment = payments.findLast(({ number }) => number < fee.number);
    if (payment !== undefined && isWithin(fee, scope)) yield [payment, fee];
  }
}

function* pairsInTurn({ fees, payments }: Pairing, scope: Scope): Generator<[Payment, TakenFee]> {
  for (const [index, fee] of takenIn(fees).entries()) {
    const payment = payments[index];
    if (payment !== undefined && isWithin(fee, scope)) yield [payment, fee];
  }
}

function* likelyPairs({ fees, payments }: Pairing, scope: Scope): Generator<[Payment, TakenFee]> {
  const own = [...takenIn(fees), ...fees.filter(({ isReturned }) => isReturned)].filter((fee) => isWithin(fee, scope));
  const [first] = own;
  if (first === undefined) return;
  const within = payments.filter((payment) => isWithin(payment, scope));
  for (const payment of within.length === 0 ? payments : within)
    yield [payment, own.find((one) => one.day >= payment.day) ?? first];
}

function takenIn(fees: readonly KnownFee[]): readonly KnownFee[] {
  return fees.filter(({ isReturned }) => !isReturned);
}

function isEven({ fees, payments }: Pairing): boolean {
  return payments.length > 0 && takenIn(fees).length === payments.length;
}
