import { fixedFunction } from "../approvals/words.ts";
import { chainTrigger } from "./chain-sql.ts";

/** A refusal names an order: history has it with the batch. */
const refusalFact = `to_jsonb(b) || jsonb_build_object('batch', (SELECT m.batch FROM partner.movements m WHERE m.id = b.movement))`;

/** Decisions of people besides those on batches, as recorded in history: each table with its step and its columns. */
export const wordSources = [
  { table: "delegations", step: "delegate", at: "delegated_at", by: "delegated_by" },
  { table: "refusals", step: "refuse", at: "said_at", by: "said_by" },
  { table: "rule_words", step: "rules", at: "said_at", by: "said_by" },
  { table: "signing_keys", step: "add key", at: "added_at", by: "owned_by" },
  { table: "removed_keys", step: "remove key", at: "removed_at", by: "removed_by" },
] as const;

/** Adds to the one chain who became a deputy and who called an order refused, to be verified with it. */
export const chainOfWords = `CREATE FUNCTION partner.chain_refusal() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  b record := NEW;
  fact jsonb := ${refusalFact};
BEGIN
  INSERT INTO partner.pending_facts (step, at, said_by, batch, body)
    VALUES ('refuse', NEW.said_at, NEW.said_by, fact ->> 'batch', fact::text);
  RETURN NULL;
END $$;
CREATE TRIGGER refusals_are_chained AFTER INSERT ON partner.refusals
  FOR EACH ROW EXECUTE FUNCTION partner.chain_refusal();
ALTER TABLE partner.refusals ENABLE ALWAYS TRIGGER refusals_are_chained;
${chainTrigger({ table: "delegations", step: "delegate", at: "delegated_at", by: "delegated_by", batch: "" })}
INSERT INTO partner.pending_facts (step, at, said_by, batch, body)
  SELECT w.step, w.at, w.said_by, w.body ->> 'batch', w.body::text FROM (
    SELECT 'delegate' AS step, b.delegated_at AS at, b.delegated_by AS said_by, to_jsonb(b) AS body FROM partner.delegations b
    UNION ALL SELECT 'refuse', b.said_at, b.said_by, ${refusalFact} FROM partner.refusals b) AS w ORDER BY w.at;
UPDATE partner.journal SET events = events;`;

/** Submissions of one maker see each other: each locks the maker's row until it is over. */
export const makersOneByOne = `CREATE TABLE partner.maker_locks (maker text PRIMARY KEY);
CREATE FUNCTION partner.wait_for_own() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  INSERT INTO partner.maker_locks (maker) VALUES (session_user)
    ON CONFLICT (maker) DO UPDATE SET maker = excluded.maker;
  RETURN NEW;
END $$;
CREATE TRIGGER batches_are_apart BEFORE INSERT ON partner.batches
  FOR EACH ROW EXECUTE FUNCTION partner.wait_for_own();
ALTER TABLE partner.batches ENABLE ALWAYS TRIGGER batches_are_apart;`;
