import { fixedFunction, nowMs, permissionErrors } from "./words.ts";

/** Wallets, for people who can't read them from the service, and what people saw when they decided. */
export const walletsAndLooks = `CREATE TABLE partner.wallets (
  scope text NOT NULL,
  account_no text NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  seen_at bigint NOT NULL,
  seen_by text NOT NULL,
  PRIMARY KEY (scope, account_no)
);
CREATE FUNCTION partner.take_wallet() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  NEW.seen_by := session_user;
  NEW.seen_at := ${nowMs};
  RETURN NEW;
END $$;
CREATE TRIGGER wallets_are_taken BEFORE INSERT OR UPDATE ON partner.wallets
  FOR EACH ROW EXECUTE FUNCTION partner.take_wallet();
ALTER TABLE partner.wallets ENABLE ALWAYS TRIGGER wallets_are_taken;

ALTER TABLE partner.approvals ADD COLUMN looked text;

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
  IF NOT pg_has_role(session_user, 'partner_checker', 'MEMBER') THEN
    RAISE EXCEPTION '%', session_user USING ERRCODE = '${permissionErrors.notAllowed}';
  END IF;
  NEW.number := (SELECT coalesce(max(a.number), 0) + 1 FROM partner.approvals a);
  NEW.decided_by := session_user;
  NEW.decided_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  NEW.seal := encode(sha256(convert_to(concat_ws(E'\\n', NEW.number, NEW.batch, NEW.digest, NEW.decision, NEW.decided_by,
    NEW.decided_at, coalesce(NEW.reason, ''), NEW.looked), 'UTF8')), 'hex');
  RETURN NEW;
END $$;`;
