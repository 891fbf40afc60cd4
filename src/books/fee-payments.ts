import type { Ledger } from "../ledger/ledger.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { rowsOf, withNeighbours } from "./booked-row.ts";
import type { FlowKind, Kinds } from "./kinds.ts";
import { feeIdsOf } from "./kinds.ts";

/** The fee that a payment's amount stands with. */
export interface TakenFee {
  /** `YYYY-MM-DD`: the day that the fee counts for. */
  readonly day: string;
  /** What the fee was for. */
  readonly kind: FlowKind;
}

/** A reference's fees and payments of one account, each the oldest first. */
interface Pairing {
  /** Those that took something. */
  readonly taken: TakenFee[];
  /** Those that gave it back. */
  readonly returned: TakenFee[];
  readonly payments: { readonly number: number; readonly day: string }[];
}

/**
 * The payments that the fees of a period were taken for, by the row's number inside of the ledger. A payment can lie
 * before the period, and one of the period can have its fee behind it.
 */
export async function feePayments(ledger: Ledger, scope: Scope, kinds: Kinds): Promise<ReadonlyMap<number, TakenFee>> {
  const pairings = new Map<string, Pairing>();
  const around = withNeighbours(scope);
  for await (const row of rowsOf(ledger, around)) {
    const { facts, change } = row;
    if (!facts.isFee) continue;
    const fee = { day: facts.day, kind: kinds.ofFee(row) };
    for (const key of feeIdsOf(row).map((id) => keyOf(row, id))) {
      const pairing = pairings.get(key) ?? { taken: [], returned: [], payments: [] };
      pairings.set(key, pairing);
      (change.sign > 0 ? pairing.returned : pairing.taken).push(fee);
    }
  }
  for await (const row of rowsOf(ledger, around)) {
    if (row.facts.isFee) continue;
    const own = row.ids.map((id) => pairings.get(keyOf(row, id))).find((pairing) => pairing !== undefined);
    own?.payments.push({ number: row.number, day: row.facts.day });
  }
  return new Map([...pairings.values()].flatMap((pairing) => [...pairsIn(pairing, scope)]));
}

function keyOf({ account }: BookedRow, id: string): string {
  return `${account.number}\t${id}`;
}

/** One by one where there are as many fees as payments; else all that may be meant. */
function* pairsIn({ taken, returned, payments }: Pairing, scope: Scope): Generator<[number, TakenFee]> {
  const isWithin = ({ day }: { readonly day: string }) => day >= scope.startDay && day <= scope.endDay;
  const fees = [...taken, ...returned].filter(isWithin);
  const [first] = fees;
  if (first === undefined) return;
  const isEven = taken.length === payments.length && taken.some(isWithin);
  const within = payments.filter(isWithin);
  for (const [index, { number, day }] of (isEven || within.length === 0 ? payments : within).entries()) {
    const fee = isEven ? taken[index] : (fees.find((one) => one.day >= day) ?? first);
    if (fee !== undefined && isWithin(fee)) yield [number, fee];
  }
}
