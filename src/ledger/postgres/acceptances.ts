import type { Statement } from "../../host/databases/postgres.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { Acceptance, ClosureWord } from "../writer.ts";

/** @param now milliseconds since 1970 UTC */
export function insertAcceptance({ number, side, gap, evidence, by }: Acceptance, now: number): Statement {
  return {
    text: `INSERT INTO partner.ledger_acceptances (entry, side, gap, evidence, accepted_by, accepted_at)
      VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [number, side, gap.toString(), evidence, by, now],
  };
}

/** Ends accepted differences after the last row: the rows explain the balance without them. */
export function lapseEnd({ number }: LedgerAccount, seenAt: number): Statement {
  return {
    text: `UPDATE partner.ledger_acceptances AS known SET lapsed_at = $2 FROM partner.ledger_entries AS e
      WHERE e.number = known.entry AND e.account = $1 AND known.side = 'after' AND known.lapsed_at IS NULL`,
    values: [number, seenAt],
  };
}

/** @param now milliseconds since 1970 UTC */
export function insertClosure({ number }: LedgerAccount, { evidence, by }: ClosureWord, now: number): Statement {
  return {
    text: `INSERT INTO partner.ledger_closures (account, evidence, accepted_by, accepted_at) VALUES ($1, $2, $3, $4)`,
    values: [number, evidence, by, now],
  };
}

export function lapseClosure({ number }: LedgerAccount, seenAt: number): Statement {
  return {
    text: "UPDATE partner.ledger_closures SET lapsed_at = $2 WHERE account = $1 AND lapsed_at IS NULL",
    values: [number, seenAt],
  };
}
