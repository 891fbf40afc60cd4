import { fixedFunction, nowMs, permissionErrors } from "../approvals/words.ts";

/**
 * A row of a batch that a person calls refused can be sent again, so it takes a checker's word, too. The word is about
 * one attempt, which its claim names.
 */
export const wordsOfRefusal = `CREATE TABLE partner.refusals (
  number bigint PRIMARY KEY,
  movement text NOT NULL REFERENCES partner.movements (id),
  claim text NOT NULL,
  evidence text NOT NULL CHECK (evidence <> ''),
  by_checker boolean NOT NULL,
  who text NOT NULL,
  said_by text NOT NULL,
  said_at bigint NOT NULL,
  address text,
  seal text NOT NULL
);
CREATE INDEX refusals_movement ON partner.refusals (movement, number);

CREATE FUNCTION partner.take_refusal() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  submitter text;
BEGIN
  PERFORM FROM partner.policy FOR UPDATE;
  SELECT m.claim, b.submitted_by INTO NEW.claim, submitter FROM partner.movements m JOIN partner.batches b ON b.id = m.batch
    WHERE m.id = NEW.movement AND m.state NOT IN ('accepted', 'refused', 'unsent', 'reversed');
  IF NOT FOUND THEN
    RAISE EXCEPTION '%', NEW.movement USING ERRCODE = '${permissionErrors.notOpen}';
  END IF;
  NEW.by_checker := pg_has_role(session_user, 'partner_checker', 'MEMBER') AND NOT partner.is_one_person(session_user, submitter);
  IF NOT NEW.by_checker AND NOT pg_has_role(session_user, 'partner_runner', 'MEMBER') THEN
    RAISE EXCEPTION '%', submitter USING ERRCODE = '${permissionErrors.ownBatch}';
  END IF;
  NEW.number := (SELECT coalesce(max(r.number), 0) + 1 FROM partner.refusals r);
  NEW.said_by := session_user;
  NEW.said_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  NEW.seal := encode(sha256(convert_to(concat_ws(E'\\n', NEW.number, NEW.movement, NEW.claim, NEW.evidence, NEW.by_checker,
    NEW.said_by, NEW.said_at), 'UTF8')), 'hex');
  RETURN NEW;
END $$;

CREATE FUNCTION partner.demand_checkers_word() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF EXISTS (SELECT FROM partner.batches b WHERE b.id = NEW.batch) AND NOT EXISTS (SELECT FROM partner.refusals r
      WHERE r.movement = NEW.id AND r.claim = OLD.claim AND r.by_checker
        AND NOT partner.is_one_person(r.said_by, session_user)) THEN
    RAISE EXCEPTION '%', NEW.reference USING ERRCODE = '${permissionErrors.noCheckersWord}';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refusals_are_taken BEFORE INSERT ON partner.refusals
  FOR EACH ROW EXECUTE FUNCTION partner.take_refusal();
CREATE TRIGGER refusals_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.refusals
  EXECUTE FUNCTION partner.refuse('what a person said is never changed');
CREATE TRIGGER persons_refuse_with_a_checker BEFORE UPDATE ON partner.movements FOR EACH ROW
  WHEN (NEW.batch IS NOT NULL AND NEW.evidence = 'person' AND NEW.state IN ('refused', 'unsent')
    AND OLD.state NOT IN ('refused', 'unsent')) EXECUTE FUNCTION partner.demand_checkers_word();
ALTER TABLE partner.refusals ENABLE ALWAYS TRIGGER refusals_are_taken;
ALTER TABLE partner.movements ENABLE ALWAYS TRIGGER persons_refuse_with_a_checker;`;
