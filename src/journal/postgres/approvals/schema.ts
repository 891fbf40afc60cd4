import type { SharedLayout } from "../../../storage/postgres/layout.ts";
import { walletsAndLooks } from "./upgrades.ts";
import { batchNews } from "./batch-news.ts";
import { chainOfBegun } from "../chain/begun-sql.ts";
import { chainOfFacts } from "../chain/chain-sql.ts";
import { redactedBatches } from "../chain/redact-sql.ts";
import { chainOfRules } from "../chain/rules-sql.ts";
import { chainOfWords, makersOneByOne } from "../chain/words-sql.ts";
import { signingKeys } from "../chain/keys-sql.ts";
import { groupsOfOneDatabase } from "../roles/groups.ts";
import { finalWords, ownLocks } from "./final-words.ts";
import { rulesOfApproval } from "../rules/change-sql.ts";
import { deputiesOfCheckers } from "../rules/deputies-sql.ts";
import { deputiesSign } from "../rules/deputy-keys-sql.ts";
import { renamedCountForNothing } from "../rules/renamed-sql.ts";
import { membersByUse } from "../rules/members-sql.ts";
import { stoppedBatches } from "../rules/stopped-sql.ts";
import { wordsOnce } from "../rules/used-words-sql.ts";
import { wordsOfRefusal } from "../rules/refusals-sql.ts";
import { levelsOfApproval } from "../rules/levels-sql.ts";
import { sendersCount } from "../rules/senders-sql.ts";
import { fixedFunction, nowMs, permissionErrors } from "./words.ts";

/** The largest file of a batch that a shared journal accepts. */
export const submittedMaxBytes = 64 * 1024 * 1024;
/** How many rows it may have: as many as any batch. */
const submittedMaxRows = 100_000;

/** The migrations from when a whole server had one group of checkers. */
const untilGroups: readonly string[] = [
  `CREATE TABLE partner.policy (
  sole boolean PRIMARY KEY CHECK (sole),
  requires_approval boolean NOT NULL
);
INSERT INTO partner.policy (sole, requires_approval) VALUES (true, false);

CREATE TABLE partner.batches (
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  id text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{16}$'),
  scope text NOT NULL,
  digest text NOT NULL,
  description text NOT NULL,
  content bytea NOT NULL CHECK (octet_length(content) <= ${submittedMaxBytes}),
  orders text NOT NULL,
  row_count bigint NOT NULL CHECK (row_count BETWEEN 1 AND ${submittedMaxRows}),
  who text NOT NULL,
  submitted_by text NOT NULL,
  submitted_at bigint NOT NULL,
  address text
);
ALTER TABLE partner.batches ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE partner.batch_rows (
  batch text NOT NULL REFERENCES partner.batches (id),
  line bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('transfer', 'withdraw', 'collect', 'remit')),
  reference text NOT NULL,
  request_hash text NOT NULL CHECK (request_hash ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (batch, line),
  UNIQUE (batch, kind, reference)
);

CREATE TABLE partner.approvals (
  number bigint PRIMARY KEY,
  batch text NOT NULL REFERENCES partner.batches (id),
  digest text NOT NULL,
  decision text NOT NULL CHECK (decision IN ('approved', 'rejected')),
  reason text CHECK (decision = 'approved' OR reason <> ''),
  who text NOT NULL,
  decided_by text NOT NULL,
  decided_at bigint NOT NULL,
  address text,
  seal text NOT NULL
);
CREATE INDEX approvals_batch ON partner.approvals (batch, number);

CREATE TABLE partner.finished (
  batch text PRIMARY KEY REFERENCES partner.batches (id),
  finished_at bigint NOT NULL,
  finished_by text NOT NULL
);

CREATE FUNCTION partner.is_same_person(role text) RETURNS boolean LANGUAGE plpgsql STABLE ${fixedFunction} AS $$
BEGIN
  IF role = session_user::text THEN RETURN true; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN RETURN false; END IF;
  RETURN pg_has_role(session_user, role, 'MEMBER') OR pg_has_role(role, session_user, 'MEMBER');
END $$;

CREATE FUNCTION partner.last_decision(id text) RETURNS text LANGUAGE plpgsql STABLE ${fixedFunction} AS $$
BEGIN
  RETURN (SELECT a.decision FROM partner.approvals a JOIN partner.batches b ON b.id = a.batch AND b.digest = a.digest
    WHERE a.batch = last_decision.id ORDER BY a.number DESC LIMIT 1);
END $$;

CREATE FUNCTION partner.take_batch() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  NEW.id := NEW.description::json ->> 'id';
  NEW.scope := NEW.description::json ->> 'scope';
  NEW.row_count := json_array_length(NEW.orders::json);
  NEW.digest := encode(sha256(sha256(convert_to(NEW.description, 'UTF8')) || sha256(NEW.content)
    || sha256(convert_to(NEW.orders, 'UTF8'))), 'hex');
  NEW.submitted_by := session_user;
  NEW.submitted_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  RETURN NEW;
END $$;

CREATE FUNCTION partner.take_rows() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  taken text;
BEGIN
  INSERT INTO partner.batch_rows (batch, line, kind, reference, request_hash)
    SELECT NEW.id, (row ->> 0)::bigint, row ->> 1, row ->> 2, row ->> 3 FROM json_array_elements(NEW.orders::json) AS row;
  SELECT string_agg(line::text, ', ') INTO taken FROM (
    SELECT r.line FROM partner.batch_rows r
      JOIN partner.movements m ON m.scope = NEW.scope AND m.kind = r.kind AND m.reference = r.reference
      WHERE r.batch = NEW.id AND m.request_hash <> r.request_hash AND m.state NOT IN ('unsent', 'refused')
      ORDER BY r.line LIMIT 20) AS lines;
  IF taken IS NOT NULL THEN
    RAISE EXCEPTION '%', taken USING ERRCODE = '${permissionErrors.takenReference}';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION partner.take_decision() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
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
    NEW.decided_at, coalesce(NEW.reason, '')), 'UTF8')), 'hex');
  RETURN NEW;
END $$;

CREATE FUNCTION partner.take_end() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF EXISTS (SELECT FROM partner.batch_rows r JOIN partner.batches b ON b.id = r.batch
      LEFT JOIN partner.movements m ON m.scope = b.scope AND m.kind = r.kind AND m.reference = r.reference
        AND m.request_hash = r.request_hash AND m.state IN ('accepted', 'pending')
      WHERE r.batch = NEW.batch AND m.number IS NULL) THEN
    RAISE EXCEPTION 'rows of it are not done' USING ERRCODE = '${permissionErrors.unfinished}';
  END IF;
  NEW.finished_at := ${nowMs};
  NEW.finished_by := session_user;
  RETURN NEW;
END $$;

CREATE FUNCTION partner.demand_approval() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  IF NEW.batch IS NULL OR NOT EXISTS (SELECT FROM partner.batches b WHERE b.id = NEW.batch) THEN
    IF coalesce((SELECT p.requires_approval FROM partner.policy p), true) THEN
      RAISE EXCEPTION 'nobody approved this order' USING ERRCODE = '${permissionErrors.noApproval}';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM partner.batch_rows r JOIN partner.batches b ON b.id = r.batch
      WHERE r.batch = NEW.batch AND r.line = NEW.batch_row AND r.kind = NEW.kind AND r.reference = NEW.reference
        AND r.request_hash = NEW.request_hash AND b.scope = NEW.scope) THEN
    RAISE EXCEPTION 'this order is not the row of its batch' USING ERRCODE = '${permissionErrors.otherOrder}';
  END IF;
  IF partner.last_decision(NEW.batch) IS DISTINCT FROM 'approved' THEN
    RAISE EXCEPTION 'nobody approved the batch of this order' USING ERRCODE = '${permissionErrors.noApproval}';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER batches_are_taken BEFORE INSERT ON partner.batches
  FOR EACH ROW EXECUTE FUNCTION partner.take_batch();
CREATE TRIGGER rows_are_taken AFTER INSERT ON partner.batches
  FOR EACH ROW EXECUTE FUNCTION partner.take_rows();
CREATE TRIGGER decisions_are_taken BEFORE INSERT ON partner.approvals
  FOR EACH ROW EXECUTE FUNCTION partner.take_decision();
CREATE TRIGGER ends_are_taken BEFORE INSERT ON partner.finished
  FOR EACH ROW EXECUTE FUNCTION partner.take_end();
CREATE TRIGGER new_orders_are_approved BEFORE INSERT ON partner.movements
  FOR EACH ROW EXECUTE FUNCTION partner.demand_approval();
CREATE TRIGGER orders_are_approved BEFORE UPDATE ON partner.movements
  FOR EACH ROW WHEN (NEW.state IN ('prepared', 'sending')) EXECUTE FUNCTION partner.demand_approval();
CREATE TRIGGER batches_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.batches
  EXECUTE FUNCTION partner.refuse('what was submitted is never changed');
CREATE TRIGGER batch_rows_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.batch_rows
  EXECUTE FUNCTION partner.refuse('what was submitted is never changed');
CREATE TRIGGER approvals_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.approvals
  EXECUTE FUNCTION partner.refuse('what was decided is never changed');
CREATE TRIGGER finished_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.finished
  EXECUTE FUNCTION partner.refuse('what was done is never forgotten');

ALTER TABLE partner.batches ENABLE ALWAYS TRIGGER batches_are_taken;
ALTER TABLE partner.batches ENABLE ALWAYS TRIGGER rows_are_taken;
ALTER TABLE partner.approvals ENABLE ALWAYS TRIGGER decisions_are_taken;
ALTER TABLE partner.finished ENABLE ALWAYS TRIGGER ends_are_taken;
ALTER TABLE partner.movements ENABLE ALWAYS TRIGGER new_orders_are_approved;
ALTER TABLE partner.movements ENABLE ALWAYS TRIGGER orders_are_approved;`,
  walletsAndLooks,
  finalWords,
  ownLocks,
  rulesOfApproval,
  levelsOfApproval,
  deputiesOfCheckers,
  wordsOfRefusal,
  batchNews,
  chainOfFacts,
  // The program that reads a row checks its kind.
  "ALTER TABLE partner.batch_rows DROP CONSTRAINT IF EXISTS batch_rows_kind_check;",
  signingKeys,
];

const untilMembers: readonly string[] = [
  ...untilGroups,
  groupsOfOneDatabase(untilGroups),
  chainOfWords,
  makersOneByOne,
  chainOfBegun,
];

const untilDeputies: readonly string[] = [...untilMembers, membersByUse(untilMembers), chainOfRules];

const untilSenders: readonly string[] = [...untilDeputies, deputiesSign(untilDeputies), redactedBatches];

const untilWords: readonly string[] = [...untilSenders, sendersCount(untilSenders)];

const untilRenamed: readonly string[] = [...untilWords, wordsOnce(untilWords), stoppedBatches];

/**
 * Batches that were submitted, and what was decided about them. Who did that is what the server knows of the connection
 * (`session_user`, which SET ROLE does not change), never what a client says. Rows are only added; a redaction takes
 * personal data out of them. An order that names a submitted batch is recorded only if it is an approved row of it; and
 * without a record nothing is sent. The owner of the tables and superusers are not bound by this: they could remove all
 * of it.
 */
export const approvalsLayout: SharedLayout = {
  noun: "approvals",
  migrations: [...untilRenamed, renamedCountForNothing(untilRenamed)],
};
