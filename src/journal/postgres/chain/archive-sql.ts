import { archivedOwner } from "../../archive/tombstone.ts";
import { fixedFunction } from "../approvals/words.ts";

const isOwner = `pg_has_role(session_user, (SELECT c.relowner FROM pg_class c WHERE c.oid = 'partner.movements'::regclass), 'MEMBER')`;

/**
 * A line that went to an archive leaves its number, time, step, states, seal and hash in the chain. Only the journal's
 * owner can archive orders, and only finished ones.
 */
export const archivedLines = `ALTER TABLE partner.events ADD COLUMN archived text;
CREATE INDEX events_archived ON partner.events (movement, number) WHERE archived IS NOT NULL;

CREATE FUNCTION partner.keep_order() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF NOT ${isOwner} OR OLD.settled_at IS NULL OR NEW.state <> OLD.state OR NEW.request <> OLD.request OR NEW.request_hash <> OLD.request_hash THEN
    RAISE EXCEPTION 'only who owns the journal archives orders, and only those that are over'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER events_stay ON partner.events;
CREATE TRIGGER events_stay BEFORE UPDATE ON partner.events FOR EACH ROW
  WHEN (OLD.archived IS NOT NULL
    OR (NEW.number, NEW.movement, NEW.at, NEW.step, NEW.from_state, NEW.to_state, NEW.seal) IS DISTINCT FROM
      (OLD.number, OLD.movement, OLD.at, OLD.step, OLD.from_state, OLD.to_state, OLD.seal)
    OR CASE WHEN NEW.archived IS NULL
      THEN OLD.redacted_seal IS NOT NULL OR NEW.redacted_seal IS NULL OR NEW.line_hash IS NULL
        OR (NEW.request_id, NEW.evidence, NEW.who) IS DISTINCT FROM (OLD.request_id, OLD.evidence, OLD.who)
      ELSE (NEW.redacted_seal, NEW.line_hash) IS DISTINCT FROM (OLD.redacted_seal, OLD.line_hash) END)
  EXECUTE FUNCTION partner.refuse('history is never changed');
CREATE TRIGGER orders_are_kept_whole BEFORE UPDATE ON partner.movements FOR EACH ROW
  WHEN (NEW.owner = '${archivedOwner}' AND OLD.owner <> '${archivedOwner}') EXECUTE FUNCTION partner.keep_order();
ALTER TABLE partner.movements ENABLE ALWAYS TRIGGER orders_are_kept_whole;`;
