import { fixedFunction, permissionErrors } from "../approvals/words.ts";
import { readingFunction } from "../rules/change-sql.ts";

const refused = (words: string) => `EXECUTE FUNCTION partner.refuse('${words}')`;
const submitted = "what was submitted is never changed";
const hashForms = "[0-9a-f]{64}|pbkdf2:[0-9]+:[0-9a-f]+:[0-9a-f]+|redacted-[0-9a-f]{32}";

/** SQL: true where one of these columns is changed. */
function changes(...names: readonly string[]): string {
  const of = (row: string) => `(${names.map((name) => `${row}.${name}`).join(", ")})`;
  return `${of("NEW")} IS DISTINCT FROM ${of("OLD")}`;
}

/** Has rows of a redacted batch change only in hash and receiver. @param moved the columns of what they move */
export function rowsStay(...moved: readonly string[]): string {
  return `CREATE TRIGGER batch_rows_stay BEFORE UPDATE ON partner.batch_rows FOR EACH ROW
  WHEN (NOT partner.is_redacted(OLD.batch) OR ${changes("batch", "line", "kind", "reference", ...moved)}
    OR NEW.request_hash <> OLD.request_hash AND NEW.request_hash !~ '^(pbkdf2:|redacted-)'
    OR NEW.receiver IS DISTINCT FROM OLD.receiver AND position('redacted-' IN coalesce(NEW.receiver, '')) = 0)
  ${refused(submitted)};`;
}

/**
 * Personal data can be taken out of a batch that is over, once: out of its file, its rows, its decisions, and the lines
 * of history about it. A line keeps the hash that it had, and a `redact` line of the batch names it. Nothing else in
 * the rows can be changed, and only the owner of the tables has the right to. The batch can no longer be decided about.
 */
export const redactedBatches = `ALTER TABLE partner.batches ADD COLUMN IF NOT EXISTS redacted_digest text;
ALTER TABLE partner.approvals ADD COLUMN IF NOT EXISTS redacted_seal text;
ALTER TABLE partner.facts ADD COLUMN IF NOT EXISTS redacted_seal text, ADD COLUMN IF NOT EXISTS line_hash text;
ALTER TABLE partner.batch_rows DROP CONSTRAINT IF EXISTS batch_rows_request_hash_check;
ALTER TABLE partner.batch_rows ADD CONSTRAINT batch_rows_request_hash_check CHECK (request_hash ~ '^(${hashForms})$');
CREATE INDEX IF NOT EXISTS batch_rows_reference ON partner.batch_rows (reference, kind);

CREATE OR REPLACE FUNCTION partner.is_redacted(id text) RETURNS boolean LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  RETURN EXISTS (SELECT FROM partner.batches b WHERE b.id = is_redacted.id AND b.redacted_digest IS NOT NULL);
END $$;

CREATE OR REPLACE FUNCTION partner.demand_end() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF EXISTS (SELECT FROM partner.movements m WHERE m.batch = OLD.id AND m.settled_at IS NULL)
      OR NOT (EXISTS (SELECT FROM partner.finished f WHERE f.batch = OLD.id)
        OR EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = OLD.id)
        OR EXISTS (SELECT FROM partner.approvals a WHERE a.batch = OLD.id AND a.decision = 'rejected')) THEN
    RAISE EXCEPTION 'the batch % is not over', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

DROP TRIGGER IF EXISTS batches_stay ON partner.batches;
DROP TRIGGER IF EXISTS batches_are_kept ON partner.batches;
CREATE TRIGGER batches_are_kept BEFORE DELETE OR TRUNCATE ON partner.batches
  ${refused(submitted)};
CREATE TRIGGER batches_stay BEFORE UPDATE ON partner.batches FOR EACH ROW
  WHEN (OLD.redacted_digest IS NOT NULL OR NEW.redacted_digest IS NULL OR octet_length(NEW.content) > 0
    OR ${changes("number", "id", "scope", "digest", "row_count", "who", "submitted_by", "submitted_at", "address")})
  ${refused(submitted)};
DROP TRIGGER IF EXISTS redacted_batches_are_over ON partner.batches;
CREATE TRIGGER redacted_batches_are_over BEFORE UPDATE ON partner.batches
  FOR EACH ROW EXECUTE FUNCTION partner.demand_end();

DROP TRIGGER IF EXISTS batch_rows_stay ON partner.batch_rows;
DROP TRIGGER IF EXISTS batch_rows_are_kept ON partner.batch_rows;
CREATE TRIGGER batch_rows_are_kept BEFORE DELETE OR TRUNCATE ON partner.batch_rows
  ${refused(submitted)};
${rowsStay("amount", "currency", "account")}

CREATE OR REPLACE FUNCTION partner.demand_file() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF partner.is_redacted(NEW.batch) THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.redacted}';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS decisions_are_of_a_file ON partner.approvals;
CREATE TRIGGER decisions_are_of_a_file BEFORE INSERT ON partner.approvals
  FOR EACH ROW EXECUTE FUNCTION partner.demand_file();
ALTER TABLE partner.approvals ENABLE ALWAYS TRIGGER decisions_are_of_a_file;

DROP TRIGGER IF EXISTS approvals_stay ON partner.approvals;
DROP TRIGGER IF EXISTS approvals_are_kept ON partner.approvals;
CREATE TRIGGER approvals_are_kept BEFORE DELETE OR TRUNCATE ON partner.approvals
  ${refused("what was decided is never changed")};
CREATE TRIGGER approvals_stay BEFORE UPDATE ON partner.approvals FOR EACH ROW
  WHEN (NOT partner.is_redacted(OLD.batch) OR OLD.redacted_seal IS NOT NULL OR NEW.redacted_seal IS NULL
    OR ${changes("number", "batch", "digest", "decision", "who", "decided_by", "decided_at", "address", "seal", "signature", "member_of", "acting_for")})
  ${refused("what was decided is never changed")};

DROP TRIGGER IF EXISTS refusals_stay ON partner.refusals;
DROP TRIGGER IF EXISTS refusals_are_kept ON partner.refusals;
CREATE TRIGGER refusals_are_kept BEFORE DELETE OR TRUNCATE ON partner.refusals
  ${refused("what a person said is never changed")};
CREATE TRIGGER refusals_stay BEFORE UPDATE ON partner.refusals FOR EACH ROW
  WHEN (NEW.evidence NOT LIKE 'redacted-%'
    OR ${changes("number", "movement", "claim", "by_checker", "who", "said_by", "said_at", "address", "seal")})
  ${refused("what a person said is never changed")};

DROP TRIGGER IF EXISTS facts_stay ON partner.facts;
DROP TRIGGER IF EXISTS facts_are_kept ON partner.facts;
CREATE TRIGGER facts_are_kept BEFORE DELETE OR TRUNCATE ON partner.facts
  ${refused("history is never changed")};
CREATE TRIGGER facts_stay BEFORE UPDATE ON partner.facts FOR EACH ROW
  WHEN (OLD.redacted_seal IS NOT NULL OR NEW.redacted_seal IS NULL OR NEW.line_hash IS NULL
    OR OLD.step NOT IN ('submit', 'approve', 'reject', 'refuse') OR NOT partner.is_redacted(OLD.batch)
    OR ${changes("number", "after_event", "step", "at", "said_by", "batch", "seal")})
  ${refused("history is never changed")};`;

/**
 * A batch that was redacted although history doesn't say so, or the other way round; or one with a redacted line of
 * history that isn't of a redacted batch, or has texts again.
 */
export const otherRedaction = `SELECT b.id FROM partner.batches b WHERE b.redacted_digest IS NOT NULL AND NOT EXISTS (
    SELECT FROM partner.facts f WHERE f.batch = b.id AND f.step = 'redact' AND f.body::jsonb ->> 'digest' = b.redacted_digest)
  UNION ALL SELECT f.batch FROM partner.facts f WHERE f.step = 'redact' AND NOT EXISTS (SELECT FROM partner.batches b
    WHERE b.id = f.batch AND f.body::jsonb ->> 'digest' = b.redacted_digest)
  UNION ALL SELECT f.batch FROM partner.facts f, LATERAL (SELECT f.body::jsonb AS said) AS s
    WHERE f.redacted_seal IS NOT NULL AND (NOT EXISTS (SELECT FROM partner.batches b WHERE b.id = f.batch AND b.redacted_digest IS NOT NULL)
      OR EXISTS (SELECT FROM unnest(ARRAY[said ->> 'reason', said ->> 'evidence', (said ->> 'description')::jsonb ->> 'file']) AS text
        WHERE text !~ '^(redacted-[0-9a-f]{32})?$')) LIMIT 1`;

/**
 * The standing of submitted batches, all of them or the one with id $2: personal data may be taken out of a batch that
 * is over, if nothing was decided and none of its orders changed since $1.
 */
export const standingsSql = `SELECT b.id, CASE WHEN b.redacted_digest IS NOT NULL THEN 'redacted'
    WHEN e.last >= $1 THEN 'young'
    WHEN NOT e.is_over OR EXISTS (SELECT FROM partner.movements m
      WHERE m.batch = b.id AND (m.settled_at IS NULL OR m.settled_at >= $1))
      OR EXISTS (SELECT FROM partner.batch_rows r JOIN partner.movements m ON m.reference = r.reference AND m.kind = r.kind
        AND m.request_hash = r.request_hash WHERE r.batch = b.id AND (m.settled_at IS NULL OR m.settled_at >= $1)) THEN 'open'
    ELSE 'over' END AS standing
  FROM partner.batches b LEFT JOIN partner.finished f ON f.batch = b.id LEFT JOIN partner.withdrawals w ON w.batch = b.id,
  LATERAL (SELECT f.batch IS NOT NULL OR w.batch IS NOT NULL OR coalesce(bool_or(a.decision = 'rejected'), false) AS is_over,
    greatest(b.submitted_at, f.finished_at, w.withdrawn_at, max(a.decided_at)) AS last
    FROM partner.approvals a WHERE a.batch = b.id) AS e
  WHERE b.id = $2 OR $2 = ''`;
