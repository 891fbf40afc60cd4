import type { SharedLayout } from "../../storage/postgres/layout.ts";
import { userSql } from "../lookups/query.ts";
import { archivedLines } from "./chain/archive-sql.ts";
import { upgradedMeanwhile } from "../writers.ts";
import { lockSlotsSql, turnSql } from "./lock-slots.ts";

/** The version in which separators in the number of a bank account no longer count. */
export const likesVersion = 11;
/** The version that refuses lines of programs that don't know keys and sums. */
export const writersVersion = 12;

/**
 * The journal that several hosts share. Its rows are those of a journal in SQLite, seals and numbers included, so that
 * one can be copied into the other as it is. `movements` and `events` in the only row of `journal` are the last numbers
 * given. Whoever writes has the turn until its commit, so that numbers have no gaps and history has one order; it does
 * not wait for the disk while it has the turn.
 */
export const journalLayout: SharedLayout = {
  noun: "journal",
  migrations: [
    `CREATE TABLE partner.journal (
  sole boolean PRIMARY KEY CHECK (sole),
  id text NOT NULL,
  created_at bigint NOT NULL,
  movements bigint NOT NULL CHECK (movements >= 0),
  events bigint NOT NULL CHECK (events >= 0)
);

CREATE TABLE partner.movements (
  number bigint PRIMARY KEY,
  id text NOT NULL UNIQUE,
  key_hash text NOT NULL UNIQUE,
  scope text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('transfer', 'withdraw', 'collect', 'remit')),
  reference text NOT NULL,
  state text NOT NULL
    CHECK (state IN ('prepared', 'sending', 'accepted', 'pending', 'refused', 'unsent', 'unknown')),
  profile text,
  request text NOT NULL,
  request_hash text NOT NULL,
  response text,
  evidence text CHECK (evidence IN ('answer', 'callback', 'person', 'statement')),
  note text,
  request_ids text NOT NULL,
  transaction_id text,
  opened_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  settled_at bigint,
  who text NOT NULL,
  batch text,
  batch_row bigint,
  claim text NOT NULL,
  owner text NOT NULL,
  claim_ends_at bigint NOT NULL,
  seal text NOT NULL,
  UNIQUE (reference, kind, scope)
);
CREATE INDEX movements_open ON partner.movements (number) WHERE settled_at IS NULL;
CREATE INDEX movements_opened ON partner.movements (scope, opened_at);
CREATE INDEX movements_batch ON partner.movements (batch, batch_row) WHERE batch IS NOT NULL;

CREATE TABLE partner.events (
  number bigint PRIMARY KEY,
  movement bigint NOT NULL REFERENCES partner.movements (number),
  at bigint NOT NULL,
  step text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  request_id text,
  evidence text,
  note text,
  replaced text,
  who text NOT NULL,
  seal text NOT NULL
);
CREATE INDEX events_movement ON partner.events (movement, number);

CREATE FUNCTION partner.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER journal_stays BEFORE UPDATE OF sole, id, created_at ON partner.journal
  FOR EACH ROW EXECUTE FUNCTION partner.refuse('a journal keeps its id');
CREATE TRIGGER journal_is_kept BEFORE DELETE OR TRUNCATE ON partner.journal
  EXECUTE FUNCTION partner.refuse('a journal keeps its id');
CREATE TRIGGER movements_stay BEFORE UPDATE OF number, id, key_hash, scope, kind, reference ON partner.movements
  FOR EACH ROW EXECUTE FUNCTION partner.refuse('an order stays the one that it is');
CREATE TRIGGER movements_are_kept BEFORE DELETE OR TRUNCATE ON partner.movements
  EXECUTE FUNCTION partner.refuse('an order is never forgotten');
CREATE TRIGGER events_stay BEFORE UPDATE ON partner.events
  EXECUTE FUNCTION partner.refuse('history is never changed');
CREATE TRIGGER events_are_kept BEFORE DELETE OR TRUNCATE ON partner.events
  EXECUTE FUNCTION partner.refuse('history is never forgotten');

INSERT INTO partner.journal (sole, id, created_at, movements, events)
  VALUES (true, gen_random_uuid()::text, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 0, 0);`,
    `ALTER TABLE partner.movements DROP CONSTRAINT movements_state_check;
ALTER TABLE partner.movements DROP CONSTRAINT movements_kind_check;
CREATE INDEX movements_transaction ON partner.movements (transaction_id) WHERE transaction_id IS NOT NULL;

CREATE TABLE partner.accounts (scope text PRIMARY KEY);
INSERT INTO partner.accounts SELECT DISTINCT scope FROM partner.movements;

CREATE TABLE partner.order_keys (
  movement bigint PRIMARY KEY REFERENCES partner.movements (number),
  like_key text NOT NULL,
  near_key text NOT NULL,
  standing text NOT NULL,
  batch text NOT NULL
);
CREATE INDEX order_keys_like ON partner.order_keys (like_key, standing, batch, movement);
CREATE INDEX order_keys_near ON partner.order_keys (near_key, standing, movement);

CREATE TABLE partner.proofs (
  row_key text PRIMARY KEY,
  movement bigint NOT NULL REFERENCES partner.movements (number),
  "row" text NOT NULL
);
CREATE INDEX proofs_movement ON partner.proofs (movement);

CREATE TABLE partner.seen (
  row_key text NOT NULL,
  reference text NOT NULL,
  near_form text NOT NULL,
  scope text NOT NULL,
  account_no text NOT NULL,
  "row" text NOT NULL,
  PRIMARY KEY (row_key, reference)
);
CREATE INDEX seen_near ON partner.seen (near_form);

CREATE TABLE partner.spendings (
  scope text NOT NULL,
  day text NOT NULL,
  currency text NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (scope, day, currency)
);

CREATE TRIGGER proofs_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.proofs
  EXECUTE FUNCTION partner.refuse('a proof stays what it is');
CREATE TRIGGER seen_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.seen
  EXECUTE FUNCTION partner.refuse('what was seen is kept');

DO $$
BEGIN
  IF to_regclass('partner.policy') IS NOT NULL
      AND EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'partner_runner') THEN
    GRANT SELECT ON partner.accounts, partner.order_keys, partner.proofs, partner.seen, partner.spendings
      TO partner_maker, partner_checker, partner_runner, partner_auditor;
    GRANT INSERT ON partner.accounts, partner.proofs, partner.seen TO partner_runner;
    GRANT INSERT, UPDATE ON partner.order_keys, partner.spendings TO partner_runner;
    ALTER TABLE partner.seen ENABLE ROW LEVEL SECURITY;
    CREATE POLICY reader_sees ON partner.seen FOR SELECT TO partner_checker, partner_runner, partner_auditor USING (true);
    CREATE POLICY runner_keeps ON partner.seen FOR INSERT TO partner_runner WITH CHECK (true);
  END IF;
END $$;`,
    lockSlotsSql,
    // Words of evidence are checked when a row is read, as kinds are.
    "ALTER TABLE partner.movements DROP CONSTRAINT IF EXISTS movements_evidence_check;",
    `CREATE INDEX movements_user ON partner.movements (${userSql}, number);`,
    // Personal data can be taken out of history once, only by the owner, and never without keeping the hash that its
    // line had.
    `ALTER TABLE partner.events ADD COLUMN redacted_seal text, ADD COLUMN line_hash text;
DROP TRIGGER events_stay ON partner.events;
CREATE TRIGGER events_stay BEFORE UPDATE ON partner.events FOR EACH ROW
  WHEN (OLD.redacted_seal IS NOT NULL OR NEW.redacted_seal IS NULL OR NEW.line_hash IS NULL
    OR (NEW.number, NEW.movement, NEW.at, NEW.step, NEW.from_state, NEW.to_state, NEW.request_id, NEW.evidence, NEW.who, NEW.seal)
      IS DISTINCT FROM
      (OLD.number, OLD.movement, OLD.at, OLD.step, OLD.from_state, OLD.to_state, OLD.request_id, OLD.evidence, OLD.who, OLD.seal))
  EXECUTE FUNCTION partner.refuse('history is never changed');
DROP TRIGGER proofs_stay ON partner.proofs;
CREATE TRIGGER proofs_are_kept BEFORE DELETE OR TRUNCATE ON partner.proofs
  EXECUTE FUNCTION partner.refuse('a proof stays what it is');
CREATE TRIGGER proofs_stay BEFORE UPDATE OF row_key, movement ON partner.proofs
  EXECUTE FUNCTION partner.refuse('a proof stays what it is');`,
    archivedLines,
    turnSql,
    // History names the rows that prove orders. Earlier rows get lines of their own, which this program writes.
    "COMMENT ON TABLE partner.proofs IS 'named by history';",
    // The owner alone can take personal data out of seen rows. A reference stays, unless it is a word without a digit.
    `DROP TRIGGER seen_stays ON partner.seen;
DROP TRIGGER IF EXISTS seen_is_kept ON partner.seen;
CREATE TRIGGER seen_is_kept BEFORE DELETE OR TRUNCATE ON partner.seen
  EXECUTE FUNCTION partner.refuse('what was seen is kept');
CREATE TRIGGER seen_stays BEFORE UPDATE ON partner.seen FOR EACH ROW
  WHEN ((NEW.row_key, NEW.scope, NEW.account_no) IS DISTINCT FROM (OLD.row_key, OLD.scope, OLD.account_no)
    OR position('redacted-' IN NEW."row") = 0
    OR (NEW.reference, NEW.near_form) IS DISTINCT FROM (OLD.reference, OLD.near_form)
      AND (OLD.reference ~ '[0-9]' OR NEW.reference NOT LIKE 'redacted-%' OR NEW.near_form <> NEW.reference))
  EXECUTE FUNCTION partner.refuse('what was seen is kept');`,
    // Orders to one bank account are alike, however its number is written. This program renews earlier keys.
    "COMMENT ON COLUMN partner.order_keys.like_key IS 'of account numbers without separators';",
    // Hosts of earlier versions may go on and don't know keys and sums: history refuses their lines.
    `DROP TRIGGER IF EXISTS events_writers_know ON partner.events;
CREATE TRIGGER events_writers_know BEFORE INSERT ON partner.events FOR EACH ROW
  WHEN (current_setting('partner.writer', true) IS DISTINCT FROM '1')
  EXECUTE FUNCTION partner.refuse('${upgradedMeanwhile}');`,
  ],
};
