import { fixedFunction, nowMs, permissionErrors } from "../approvals/words.ts";
import { chainTrigger } from "./chain-sql.ts";

/** Kinds of keys that people sign with. */
export const signingKeyTypes = [
  "ssh-ed25519",
  "sk-ssh-ed25519@openssh.com",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "sk-ecdsa-sha2-nistp256@openssh.com",
  "ssh-rsa",
] as const;

/** A key belongs to the role of the connection that registers it. Keys are added and removed, and never changed. */
export const signingKeys = `CREATE TABLE partner.signing_keys (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_key text NOT NULL CHECK (public_key ~ '^(${signingKeyTypes.join("|").replaceAll(".", "\\.")}) [A-Za-z0-9+/]+={0,2}$'),
  comment text NOT NULL,
  who text NOT NULL,
  owned_by text NOT NULL,
  added_at bigint NOT NULL,
  address text
);
CREATE TABLE partner.removed_keys (
  key bigint PRIMARY KEY REFERENCES partner.signing_keys (number),
  who text NOT NULL,
  removed_by text NOT NULL,
  removed_at bigint NOT NULL,
  address text
);
ALTER TABLE partner.approvals ADD COLUMN signature text;

CREATE FUNCTION partner.take_key() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF NOT pg_has_role(session_user, 'partner_checker', 'MEMBER') THEN
    RAISE EXCEPTION '%', session_user USING ERRCODE = '${permissionErrors.notAllowed}';
  END IF;
  NEW.owned_by := session_user;
  NEW.added_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  RETURN NEW;
END $$;
CREATE FUNCTION partner.take_key_removal() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM partner.signing_keys k WHERE k.number = NEW.key AND (k.owned_by = session_user
      OR pg_has_role(session_user, (SELECT c.relowner FROM pg_class c WHERE c.oid = 'partner.signing_keys'::regclass), 'MEMBER'))) THEN
    RAISE EXCEPTION '%', session_user USING ERRCODE = '${permissionErrors.otherKey}';
  END IF;
  NEW.removed_by := session_user;
  NEW.removed_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  RETURN NEW;
END $$;
CREATE TRIGGER keys_are_taken BEFORE INSERT ON partner.signing_keys
  FOR EACH ROW EXECUTE FUNCTION partner.take_key();
CREATE TRIGGER key_removals_are_taken BEFORE INSERT ON partner.removed_keys
  FOR EACH ROW EXECUTE FUNCTION partner.take_key_removal();
CREATE TRIGGER keys_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.signing_keys
  EXECUTE FUNCTION partner.refuse('a key stays what it is');
CREATE TRIGGER key_removals_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.removed_keys
  EXECUTE FUNCTION partner.refuse('a removed key stays removed');
ALTER TABLE partner.signing_keys ENABLE ALWAYS TRIGGER keys_are_taken;
ALTER TABLE partner.removed_keys ENABLE ALWAYS TRIGGER key_removals_are_taken;
${chainTrigger({ table: "signing_keys", step: "add key", at: "added_at", by: "owned_by", batch: "" })}
${chainTrigger({ table: "removed_keys", step: "remove key", at: "removed_at", by: "removed_by", batch: "" })}
${chainTrigger({ table: "rule_words", step: "rules", at: "said_at", by: "said_by", batch: "" })}
INSERT INTO partner.pending_facts (step, at, said_by, body)
  SELECT 'rules', w.said_at, w.said_by, to_jsonb(w)::text FROM partner.rule_words w ORDER BY w.number;
UPDATE partner.journal SET events = events;`;

/** @param everyone the groups of roles, as SQL names them */
export function keyGrants(everyone: string): string {
  return `GRANT SELECT ON partner.signing_keys, partner.removed_keys TO ${everyone};
GRANT INSERT (public_key, comment, who) ON partner.signing_keys TO partner_checker;
GRANT INSERT (key, who) ON partner.removed_keys TO partner_checker;
DROP POLICY IF EXISTS checker_adds ON partner.signing_keys;
CREATE POLICY checker_adds ON partner.signing_keys FOR INSERT TO partner_checker WITH CHECK (owned_by = session_user);
DROP POLICY IF EXISTS deputy_adds ON partner.signing_keys;
CREATE POLICY deputy_adds ON partner.signing_keys FOR INSERT TO partner_maker, partner_runner, partner_auditor
  WITH CHECK (owned_by = session_user AND partner.is_deputy());
DROP POLICY IF EXISTS deputy_removes ON partner.removed_keys;
CREATE POLICY deputy_removes ON partner.removed_keys FOR INSERT TO partner_maker, partner_runner, partner_auditor
  WITH CHECK (removed_by = session_user);
DROP POLICY IF EXISTS checker_removes ON partner.removed_keys;
CREATE POLICY checker_removes ON partner.removed_keys FOR INSERT TO partner_checker WITH CHECK (removed_by = session_user);`;
}
