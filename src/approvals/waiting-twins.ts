import type { SharedDatabase } from "../storage/postgres/database.ts";

/**
 * Rows of a batch that other batches wait to pay, too: under the same reference, or else to the same receiver, which is
 * not kept of a collection. Rows that were ordered meanwhile are found among the orders. One sort for each of the two
 * instead of a join: the server knows too little of rows that were just submitted to plan one.
 */
const twinsSql = `WITH waiting AS MATERIALIZED (SELECT b.id, b.submitted_by, b.id = $1 AS is_own FROM partner.batches b
    WHERE b.id = $1 OR b.scope = ANY ($2::text[])
      AND NOT EXISTS (SELECT FROM partner.finished f WHERE f.batch = b.id)
      AND NOT EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = b.id)
      AND NOT EXISTS (SELECT FROM partner.approvals a WHERE a.batch = b.id AND a.decision = 'rejected'))
  SELECT line, twin[1] AS batch, twin[2] AS submitted_by, twin[3] AS other_line, twin[4] AS other_reference,
      twin[5] = request_hash AS is_same FROM (
    SELECT r.line, r.request_hash, b.is_own, coalesce(
        first_value(t.twin) OVER (PARTITION BY r.kind, r.reference ORDER BY b.is_own, r.batch, r.line),
        CASE WHEN r.kind <> 'collect' THEN first_value(t.twin) OVER (
          PARTITION BY r.kind, r.amount, r.currency, r.account, r.receiver ORDER BY b.is_own, r.batch, r.line) END) AS twin
      FROM waiting b JOIN partner.batch_rows r ON r.batch = b.id, LATERAL (SELECT CASE WHEN NOT b.is_own
        THEN ARRAY[r.batch, b.submitted_by, r.line::text, r.reference, r.request_hash] END AS twin) t
      WHERE b.is_own OR NOT EXISTS (SELECT FROM partner.movements m WHERE m.scope = ANY ($2::text[]) AND m.kind = r.kind
        AND m.reference = r.reference AND m.state NOT IN ('unsent', 'refused'))) AS rows
    WHERE is_own AND twin IS NOT NULL ORDER BY line`;

/** A row that another batch waits to pay, too. */
export interface WaitingTwin {
  readonly line: number;
  /** The other batch, the row there, and who submitted it. */
  readonly batch: string;
  readonly submittedBy: string;
  readonly otherLine: number;
  readonly otherReference: string;
  /** True for an equal request. */
  readonly isSame: boolean;
}

/**
 * Rows of a batch that another batch of its account waits to pay, too; one for each of them.
 * @param scopes all names of the account
 */
export async function waitingTwins(
  database: SharedDatabase,
  batch: string,
  scopes: readonly string[],
): Promise<readonly WaitingTwin[]> {
  const records = await database.read(twinsSql, [batch, scopes]);
  return records.map((record) => ({
    line: Number(record["line"]),
    batch: String(record["batch"]),
    submittedBy: String(record["submitted_by"]),
    otherLine: Number(record["other_line"]),
    otherReference: String(record["other_reference"]),
    isSame: record["is_same"] === true,
  }));
}
