import { parentReference } from "../contract/fee-row.ts";
import type { StatementRow } from "./statement-row.ts";
import type { Trial } from "./trial.ts";

/** Which id of the service belongs to which reference of ours. */
export interface FeeTie {
  readonly reference: string;
  readonly transactionId: string;
}

const payoutFee = "-PAYOUT";
const tied = /^SERVICE FEE FOR REF:(\S+) TXNID:(\S+)/i;

/**
 * What the fee's row of a payout says of its order. The paying row is booked under an id of the service, which a lost
 * answer would have told: the fee's row tells it, too. Undefined for any other row.
 */
export function feeTie({ tranRefNo, narration }: StatementRow): FeeTie | undefined {
  const [, reference, transactionId] = tranRefNo.endsWith(payoutFee) ? (tied.exec(narration) ?? []) : [];
  if (reference === undefined || transactionId === undefined) return undefined;
  return reference === parentReference(tranRefNo) ? { reference, transactionId } : undefined;
}

/** What the fees of a statement say, by reference and by id. */
export class FeeTies {
  readonly #ids = new Map<string, Set<string>>();
  readonly #references = new Map<string, Set<string>>();

  /** Takes any row; what is no payout's fee says nothing. */
  add(row: StatementRow): void {
    const tie = row.isFee ? feeTie(row) : undefined;
    if (tie === undefined) return;
    put(this.#ids, tie.reference, tie.transactionId);
    put(this.#references, tie.transactionId, tie.reference);
  }

  /** The one id that is told for a reference, and for no other; undefined where two are. */
  idOf(reference: string): string | undefined {
    const [id, ...others] = this.#ids.get(reference) ?? [];
    if (id === undefined || others.length > 0) return undefined;
    return this.#references.get(id)?.size === 1 ? id : undefined;
  }

  /** True for an id that is told for other references alone. */
  isOthers(id: string, reference: string): boolean {
    const references = this.#references.get(id);
    return references !== undefined && !references.has(reference);
  }
}

/** A payout on trial with what the fees say: its id, and which of the rows are other payouts'. */
export function withFees(trial: Trial, rows: readonly StatementRow[], fees: FeeTies): Trial {
  const { kind, reference } = trial.order;
  if (kind !== "payout") return trial;
  const id = fees.idOf(reference);
  const ids = id === undefined ? trial.ids : new Set([...trial.ids, id]);
  const strangers = rows.flatMap(({ tranRefNo }) =>
    !ids.has(tranRefNo) && fees.isOthers(tranRefNo, reference) ? [tranRefNo] : [],
  );
  return { ...trial, ids, strangers: new Set(strangers) };
}

/** The references that fees tell of rows, by the id of the service under which each row is booked. */
export function referencesTold(rows: readonly StatementRow[]): ReadonlyMap<string, string> {
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
