import { standingColumns, standingOfOpen, stateSql } from "./standing.ts";

const lastDecision = `LEFT JOIN LATERAL (SELECT * FROM partner.approvals WHERE batch = b.id AND digest = b.digest
    ORDER BY decision = 'rejected' DESC, number DESC LIMIT 1) a ON true
  LEFT JOIN partner.withdrawals w ON w.batch = b.id LEFT JOIN partner.finished f ON f.batch = b.id
  ${standingOfOpen}`;
/** A redacted decision has a seal of what is left. */
const sealSql = "coalesce(a.redacted_seal, a.seal)";
const columns = `b.id, b.scope, b.digest, b.description, b.row_count, b.redacted_digest IS NOT NULL AS is_redacted, b.who, b.submitted_by, b.submitted_at,
    a.number AS decision_number, a.decision, a.reason, a.decided_by, a.decided_at, ${sealSql} AS decision_seal, a.looked,
    a.member_of, a.acting_for, ${stateSql} AS state, ${standingColumns}`;

/** A batch by its id, with the last word about it. */
export const byId = `SELECT ${columns} FROM partner.batches b ${lastDecision} WHERE b.id = $1`;
/** Batches in a state, or in any where it is empty. */
export const newest = `SELECT ${columns} FROM partner.batches b ${lastDecision} WHERE $1 IN ('', ${stateSql})
  ORDER BY b.number DESC LIMIT $2`;
/** Batches that are approved and not done. */
export const left = `SELECT b.id, b.scope, ${stateSql} AS state FROM partner.batches b ${lastDecision}
  WHERE a.decision = 'approved' AND f.batch IS NULL AND ${stateSql} IN ('approved', 'running', 'expired') ORDER BY a.number`;
/** The movement under a row's reference, by any name of its account. */
const rowsOf = `FROM partner.batch_rows r LEFT JOIN LATERAL (SELECT * FROM partner.movements o
    WHERE o.scope = ANY ($2::text[]) AND o.kind = r.kind AND o.reference = r.reference
    ORDER BY o.state IN ('unsent', 'refused'), o.number DESC LIMIT 1) m ON true WHERE r.batch = $1`;
/** Nothing moved under this reference, so that it is free for this order. */
const isFree = "m.number IS NULL OR m.state IN ('unsent', 'refused') AND m.request_hash <> r.request_hash";

/** How many rows of a batch are in each state on record. */
export const states = `SELECT CASE WHEN ${isFree} THEN 'unsent' WHEN m.request_hash <> r.request_hash THEN 'unsent'
    WHEN m.state IN ('prepared', 'sending') THEN 'unknown' ELSE m.state END AS state, count(*) AS count ${rowsOf} GROUP BY 1`;
/** Lines of a batch that may be sent; $3 is true to include rows that the service refused as rows of it. */
export const toSend = `SELECT r.line ${rowsOf} AND (${isFree} OR m.request_hash = r.request_hash
    AND (m.state IN ('unsent', 'prepared') OR m.state = 'refused' AND ($3 OR m.batch IS DISTINCT FROM r.batch)))`;

/** All decisions about a batch. */
export const decisions = `SELECT a.batch AS id, a.digest, a.number AS decision_number, a.decision, a.reason, a.decided_by, a.decided_at,
  ${sealSql} AS decision_seal, a.looked, a.signature, a.member_of, a.acting_for FROM partner.approvals a WHERE a.batch = $1 ORDER BY a.number`;
/** Rejections of other batches, of any maker, with a row of the same kind and reference. */
export const rejections = `SELECT a.batch AS id, a.digest, a.number AS decision_number, a.decision, a.reason, a.decided_by,
  a.decided_at, ${sealSql} AS decision_seal, a.looked, a.signature, a.member_of, a.acting_for FROM partner.approvals a
  WHERE a.decision = 'rejected' AND a.batch <> $1 AND EXISTS (SELECT FROM partner.batch_rows own
    JOIN partner.batch_rows r ON r.kind = own.kind AND r.reference = own.reference
    WHERE own.batch = $1 AND r.batch = a.batch) ORDER BY a.number`;
