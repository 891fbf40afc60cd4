import { fixedFunction, nowMs, permissionErrors } from "../approvals/words.ts";
import { readingFunction } from "./change-sql.ts";

const dayMs = 86_400_000;
/** Africa/Dar_es_Salaam: three hours east of UTC, all year. */
const offsetMs = 10_800_000;

/**
 * A checker's deputy decides as the checker until the end of a day, and while that lasts the two count as one person. A
 * deputy who isn't a checker gets only the right to decide; each decision is checked for whether it counts.
 */
export const deputiesOfCheckers = `CREATE TABLE partner.delegations (
  number bigint PRIMARY KEY,
  delegated_by text NOT NULL,
  delegated_to text NOT NULL,
  until_day text NOT NULL CHECK (until_day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  until_at bigint NOT NULL,
  who text NOT NULL,
  delegated_at bigint NOT NULL,
  address text,
  seal text NOT NULL
);
CREATE INDEX delegations_to ON partner.delegations (delegated_to, number);

CREATE FUNCTION partner.deputises(deputy text) RETURNS text[] LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  RETURN ARRAY(SELECT d.delegated_by FROM partner.delegations d JOIN pg_roles r ON r.rolname = d.delegated_by
    WHERE d.delegated_to = deputy AND d.until_at > ${nowMs} AND pg_has_role(r.oid, 'partner_checker', 'MEMBER')
      AND NOT EXISTS (SELECT FROM partner.delegations n WHERE n.delegated_by = d.delegated_by
        AND n.delegated_to = d.delegated_to AND n.number > d.number) ORDER BY 1);
END $$;
CREATE FUNCTION partner.is_deputy() RETURNS boolean LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  RETURN cardinality(partner.deputises(session_user)) > 0;
END $$;

CREATE FUNCTION partner.take_delegation() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  fault text;
BEGIN
  PERFORM FROM partner.policy FOR UPDATE;
  IF NOT pg_has_role(session_user, 'partner_checker', 'MEMBER') THEN
    RAISE EXCEPTION '%', session_user USING ERRCODE = '${permissionErrors.notAllowed}';
  END IF;
  NEW.until_at := ((NEW.until_day::date - date '1970-01-01')::bigint + 1) * ${dayMs} - ${offsetMs};
  NEW.delegated_at := ${nowMs};
  fault := CASE WHEN NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = NEW.delegated_to AND r.rolcanlogin AND NOT r.rolsuper)
      THEN format('there is no role %s that logs in', NEW.delegated_to)
    WHEN partner.is_one_person(session_user, NEW.delegated_to) THEN format('%s is the same person', NEW.delegated_to)
    WHEN NOT EXISTS (SELECT FROM unnest('{partner_maker,partner_checker,partner_runner,partner_auditor}'::text[]) AS g
      WHERE pg_has_role(NEW.delegated_to, g, 'MEMBER')) THEN format('%s is in none of the groups of partner', NEW.delegated_to)
    WHEN NEW.until_at <= NEW.delegated_at THEN format('%s is past', NEW.until_day) END;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION '%', fault USING ERRCODE = '${permissionErrors.noDeputy}';
  END IF;
  IF NOT pg_has_role(NEW.delegated_to, 'partner_checker', 'MEMBER') THEN
    EXECUTE format('GRANT INSERT (batch, digest, decision, reason, who, looked, signature) ON partner.approvals TO %I', NEW.delegated_to);
  END IF;
  NEW.number := (SELECT coalesce(max(d.number), 0) + 1 FROM partner.delegations d);
  NEW.delegated_by := session_user;
  NEW.address := host(inet_client_addr());
  NEW.seal := encode(sha256(convert_to(concat_ws(E'\\n', NEW.number, NEW.delegated_by, NEW.delegated_to, NEW.until_day,
    NEW.delegated_at), 'UTF8')), 'hex');
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION partner.take_decision() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  submitted text;
  submitter text;
BEGIN
  PERFORM FROM partner.policy FOR UPDATE;
  SELECT b.digest, b.submitted_by INTO submitted, submitter FROM partner.batches b WHERE b.id = NEW.batch;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no batch %', NEW.batch USING ERRCODE = '${permissionErrors.noBatch}';
  END IF;
  IF NEW.digest IS DISTINCT FROM submitted THEN
    RAISE EXCEPTION 'this is not what was submitted' USING ERRCODE = '${permissionErrors.otherDigest}';
  END IF;
  IF partner.is_same_person(submitter) THEN
    RAISE EXCEPTION '%', submitter USING ERRCODE = '${permissionErrors.ownBatch}';
  END IF;
  NEW.acting_for := to_json(ARRAY(SELECT d FROM unnest(partner.deputises(session_user)) AS d
    WHERE NOT partner.is_one_person(d, submitter)));
  IF NOT pg_has_role(session_user, 'partner_checker', 'MEMBER') AND NEW.acting_for = '[]' THEN
    RAISE EXCEPTION '%', session_user USING ERRCODE = '${permissionErrors.notAllowed}';
  END IF;
  NEW.number := (SELECT coalesce(max(a.number), 0) + 1 FROM partner.approvals a);
  NEW.decided_by := session_user;
  NEW.decided_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  NEW.seal := encode(sha256(convert_to(concat_ws(E'\\n', NEW.number, NEW.batch, NEW.digest, NEW.decision, NEW.decided_by,
    NEW.decided_at, coalesce(NEW.reason, ''), NEW.looked), 'UTF8')), 'hex');
  RETURN NEW;
END $$;

CREATE TRIGGER delegations_are_taken BEFORE INSERT ON partner.delegations
  FOR EACH ROW EXECUTE FUNCTION partner.take_delegation();
CREATE TRIGGER delegations_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.delegations
  EXECUTE FUNCTION partner.refuse('who was a deputy is never changed');
ALTER TABLE partner.delegations ENABLE ALWAYS TRIGGER delegations_are_taken;`;
