import { paidIdIn, parentReference } from "../../contract/fee-row.ts";
import type { StatementRow } from "./statement-row.ts";
import type { ExpectedRow } from "../expected-row.ts";

/** A service id with the reference of ours that it belongs to. */
export interface FeeTie {
  readonly reference: string;
  readonly transactionId: string;
}

/**
 * What the row of a payout's fee says about its order. The paid row is booked under a service id; if the answer with
 * that id was lost, the fee's row still has it. Undefined for any other row.
 */
export function feeTie({ tranRefNo, narration }: StatementRow): FeeTie | undefined {
  const transactionId = paidIdIn(tranRefNo, narration);
  return transactionId === undefined ? undefined : { reference: parentReference(tranRefNo), transactionId };
}

/** The ties in the fees of a statement, by reference and by id. */
export class FeeTies {
  readonly #ids = new Map<string, Set<string>>();
  readonly #references = new Map<string, Set<string>>();

  /** Accepts any row; rows other than payout fees are ignored. */
  add(row: StatementRow): void {
    const tie = row.isFee ? feeTie(row) : undefined;
    if (tie === undefined) return;
    put(this.#ids, tie.reference, tie.transactionId);
    put(this.#references, tie.transactionId, tie.reference);
  }

  /** The id of a reference, if it has only one and no other reference has the same. */
  idOf(reference: string): string | undefined {
    const [id, ...others] = this.#ids.get(reference) ?? [];
    if (id === undefined || others.length > 0) return undefined;
    return this.#references.get(id)?.size === 1 ? id : undefined;
  }

  /** True for an id that belongs to other references alone. */
  isOthers(id: string, reference: string): boolean {
    const references = this.#references.get(id);
    return references !== undefined && !references.has(reference);
  }
}

/** Adds what fees say to a payout's expected row: its own id, and the ids that belong to other payouts. */
export function withFees(expected: ExpectedRow, rows: readonly StatementRow[], fees: FeeTies): ExpectedRow {
  const { kind, reference } = expected.order;
  if (kind !== "payout") return expected;
  const id = fees.idOf(reference);
  const ids = id === undefined ? expected.ids : new Set([...expected.ids, id]);
  const strangers = rows.flatMap(({ tranRefNo }) =>
    !ids.has(tranRefNo) && fees.isOthers(tranRefNo, reference) ? [tranRefNo] : [],
  );
  return { ...expected, ids, strangers: new Set(strangers) };
}

/** References from fees, by the service id under which the paid row is booked. */
export function referencesOfFees(rows: readonly StatementRow[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const tie = row.isFee ? feeTie(row) : undefined;
      return tie === undefined ? [] : [[tie.transactionId, tie.reference]];
    }),
  );
}

function put(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
