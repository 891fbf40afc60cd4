import { fixedFunction, permissionErrors } from "../approvals/words.ts";
import { isOver } from "../approvals/final-words.ts";
import { readingFunction } from "./change-sql.ts";

const dayMs = 86_400_000;
/** Africa/Dar_es_Salaam: three hours east of UTC, all year. */
const offsetMs = 10_800_000;

/** What one maker may submit, and one checker approve: a currency that a limit does not name is not allowed at all. */
export const limitsOfRules = `CREATE FUNCTION partner.limits_now() RETURNS json LANGUAGE sql ${readingFunction} AS
  $$ SELECT r.rules::json -> 'limits' FROM partner.rules r ORDER BY r.number DESC LIMIT 1 $$;

CREATE FUNCTION partner.fault_beside(limits text, id text, before json) RETURNS text LANGUAGE plpgsql ${readingFunction} AS $$
DECLARE
  part record;
  most numeric;
  sum numeric;
BEGIN
  IF (SELECT f.has_amounts FROM partner.batch_facts f WHERE f.batch = id) IS NOT TRUE THEN
    RETURN 'the batch does not say its amounts';
  END IF;
  FOR part IN SELECT DISTINCT k.currency, k.total FROM partner.known_sums(id) AS k LOOP
    most := (SELECT split_part(l, '=', 2)::numeric FROM unnest(string_to_array(limits, ',')) AS l
      WHERE split_part(l, '=', 1) = part.currency);
    sum := part.total + coalesce((before ->> part.currency)::numeric, 0);
    IF most IS NULL THEN RETURN format('there is no limit in %s', part.currency); END IF;
    IF sum > most THEN RETURN format('%s %s is more than %s', sum, part.currency, most); END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION partner.limit_maker() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  limits json := partner.limits_now() -> 'maker';
  waiting bigint;
  bytes bigint;
BEGIN
  SELECT count(*), coalesce(sum(octet_length(b.content)), 0) INTO waiting, bytes FROM partner.batches b
    WHERE b.submitted_by = session_user AND NOT ${isOver};
  IF waiting >= coalesce((limits ->> 'openBatches')::bigint, 50) THEN
    RAISE EXCEPTION '% batches of this role are open', waiting USING ERRCODE = '${permissionErrors.tooMuch}';
  END IF;
  IF bytes + octet_length(NEW.content) > coalesce((limits ->> 'bytes')::bigint, 67108864) THEN
    RAISE EXCEPTION 'open batches of this role hold % bytes', bytes USING ERRCODE = '${permissionErrors.tooMuch}';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION partner.limit_day() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  limits text := partner.limits_now() -> 'maker' ->> 'day';
  fault text;
BEGIN
  IF limits IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM partner.policy FOR NO KEY UPDATE;
  fault := partner.fault_beside(limits, NEW.id, (SELECT json_object_agg(t.currency, t.total) FROM (
    SELECT k.currency, sum(k.total) AS total FROM partner.batches b,
      LATERAL (SELECT DISTINCT s.currency, s.total FROM partner.known_sums(b.id) AS s) AS k
    WHERE b.id <> NEW.id AND partner.is_one_person(b.submitted_by, NEW.submitted_by)
      AND b.submitted_at >= (NEW.submitted_at + ${offsetMs}) / ${dayMs} * ${dayMs} - ${offsetMs}
      AND NOT EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = b.id)
      AND NOT EXISTS (SELECT FROM partner.approvals a WHERE a.batch = b.id AND a.decision = 'rejected')
    GROUP BY 1) AS t));
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION 'of what one maker submits on a day, %', fault USING ERRCODE = '${permissionErrors.overLimit}';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER submissions_stay_within_rules AFTER INSERT ON partner.batches
  FOR EACH ROW EXECUTE FUNCTION partner.limit_day();
ALTER TABLE partner.batches ENABLE ALWAYS TRIGGER submissions_stay_within_rules;`;
