import { fixedFunction, nowMs, permissionErrors } from "./words.ts";

/** How much one maker may have waiting by default. */
const openMaxBatches = 50;
const openMaxBytes = 67_108_864;

/** SQL: true for a batch `b` about which nothing is left to do or to decide. */
export const isOver = `(EXISTS (SELECT FROM partner.finished f WHERE f.batch = b.id)
      OR EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = b.id)
      OR EXISTS (SELECT FROM partner.approvals a WHERE a.batch = b.id AND a.decision = 'rejected'))`;

/**
 * A rejection is final, a maker may withdraw a batch that is not approved, and the number of a maker's waiting batches
 * is limited. A decision or withdrawal locks the row of `policy`, so that each sees the other.
 */
export const finalWords = `CREATE TABLE partner.withdrawals (
  batch text PRIMARY KEY REFERENCES partner.batches (id),
  who text NOT NULL,
  withdrawn_by text NOT NULL,
  withdrawn_at bigint NOT NULL,
  address text
);

CREATE OR REPLACE FUNCTION partner.last_decision(id text) RETURNS text LANGUAGE plpgsql STABLE ${fixedFunction} AS $$
BEGIN
  RETURN (SELECT a.decision FROM partner.approvals a JOIN partner.batches b ON b.id = a.batch AND b.digest = a.digest
    WHERE a.batch = last_decision.id ORDER BY a.decision = 'rejected' DESC, a.number DESC LIMIT 1);
END $$;

CREATE FUNCTION partner.refuse_overruling() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  PERFORM FROM partner.policy FOR UPDATE;
  IF EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = NEW.batch) THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.withdrawn}';
  END IF;
  IF NEW.decision = 'approved' AND partner.last_decision(NEW.batch) = 'rejected' THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.rejected}';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION partner.take_withdrawal() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  PERFORM FROM partner.policy FOR UPDATE;
  IF NOT EXISTS (SELECT FROM partner.batches b WHERE b.id = NEW.batch AND b.submitted_by = session_user) THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.notOwn}';
  END IF;
  IF partner.last_decision(NEW.batch) IS NOT NULL THEN
    RAISE EXCEPTION '%', partner.last_decision(NEW.batch) USING ERRCODE = '${permissionErrors.decided}';
  END IF;
  NEW.withdrawn_by := session_user;
  NEW.withdrawn_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  RETURN NEW;
END $$;

CREATE FUNCTION partner.limit_maker() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  waiting bigint;
  bytes bigint;
BEGIN
  SELECT count(*), coalesce(sum(octet_length(b.content)), 0) INTO waiting, bytes FROM partner.batches b
    WHERE b.submitted_by = session_user AND NOT ${isOver};
  IF waiting >= ${openMaxBatches} THEN
    RAISE EXCEPTION '% batches of this role are open', waiting USING ERRCODE = '${permissionErrors.tooMuch}';
  END IF;
  IF bytes + octet_length(NEW.content) > ${openMaxBytes} THEN
    RAISE EXCEPTION 'open batches of this role hold % bytes', bytes USING ERRCODE = '${permissionErrors.tooMuch}';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER decisions_overrule_nothing BEFORE INSERT ON partner.approvals
  FOR EACH ROW EXECUTE FUNCTION partner.refuse_overruling();
CREATE TRIGGER withdrawals_are_taken BEFORE INSERT ON partner.withdrawals
  FOR EACH ROW EXECUTE FUNCTION partner.take_withdrawal();
CREATE TRIGGER withdrawals_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.withdrawals
  EXECUTE FUNCTION partner.refuse('what was withdrawn is never changed');
CREATE TRIGGER batches_are_limited BEFORE INSERT ON partner.batches
  FOR EACH ROW EXECUTE FUNCTION partner.limit_maker();
ALTER TABLE partner.approvals ENABLE ALWAYS TRIGGER decisions_overrule_nothing;
ALTER TABLE partner.withdrawals ENABLE ALWAYS TRIGGER withdrawals_are_taken;
ALTER TABLE partner.batches ENABLE ALWAYS TRIGGER batches_are_limited;`;

/** A decision or withdrawal locks its own batch, and blocks no decision about another. */
export const ownLocks = `CREATE OR REPLACE FUNCTION partner.refuse_overruling() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  PERFORM FROM partner.batches b WHERE b.id = NEW.batch FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = NEW.batch) THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.withdrawn}';
  END IF;
  IF NEW.decision = 'approved' AND partner.last_decision(NEW.batch) = 'rejected' THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.rejected}';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION partner.take_withdrawal() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  PERFORM FROM partner.batches b WHERE b.id = NEW.batch AND b.submitted_by = session_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.notOwn}';
  END IF;
  IF partner.last_decision(NEW.batch) IS NOT NULL THEN
    RAISE EXCEPTION '%', partner.last_decision(NEW.batch) USING ERRCODE = '${permissionErrors.decided}';
  END IF;
  NEW.withdrawn_by := session_user;
  NEW.withdrawn_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  RETURN NEW;
END $$;`;
