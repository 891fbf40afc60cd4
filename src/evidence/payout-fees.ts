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

/**
 * A payout on trial with what the fees among the rows say: the one id that is told for its reference, and the ids that
 * are told for others. Two ids for one reference tell nothing.
 */
export function withFees(trial: Trial, rows: readonly StatementRow[]): Trial {
  const { kind, reference } = trial.order;
  if (kind !== "payout") return trial;
  const [own, others] = [new Set<string>(), new Set<string>()];
  for (const row of rows) {
    const tie = row.isFee ? feeTie(row) : undefined;
    if (tie !== undefined) (tie.reference === reference ? own : others).add(tie.transactionId);
  }
  const told = [...own].filter((id) => !others.has(id));
  const ids = told.length === 1 ? new Set([...trial.ids, ...told]) : trial.ids;
  return { ...trial, ids, strangers: new Set([...others].filter((id) => !ids.has(id))) };
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
