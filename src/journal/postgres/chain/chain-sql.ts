import { fixedFunction, nowMs } from "../approvals/words.ts";

/** SQL: a batch as history has it, with the digest in place of file and orders. */
export const batchFact = `jsonb_build_object('id', b.id, 'scope', b.scope, 'digest', b.digest, 'description', b.description,
  'row_count', b.row_count, 'who', b.who, 'submitted_by', b.submitted_by, 'submitted_at', b.submitted_at, 'address', b.address)`;

/** A table whose rows become facts: the step's name, and its columns for the time, the role and the batch. */
interface Source {
  readonly table: string;
  readonly step: string;
  readonly at: string;
  readonly by: string;
  readonly batch: string;
}

/** A source whose rows `journal verify` compares with their facts. */
export interface FactSource extends Source {
  /** SQL: the row as a fact has it. */
  readonly fact: string;
  readonly stepSql: string;
}

const decisionStep = "CASE b.decision WHEN 'approved' THEN 'approve' ELSE 'reject' END";
/** The tables that the first migration chained; all later ones have migrations of their own. */
export const factSources: readonly FactSource[] = [
  {
    table: "batches",
    step: "submit",
    stepSql: "'submit'",
    at: "submitted_at",
    by: "submitted_by",
    batch: "id",
    fact: batchFact,
  },
  {
    table: "approvals",
    step: "decide",
    stepSql: decisionStep,
    at: "decided_at",
    by: "decided_by",
    batch: "batch",
    fact: "to_jsonb(b)",
  },
  {
    table: "withdrawals",
    step: "withdraw",
    stepSql: "'withdraw'",
    at: "withdrawn_at",
    by: "withdrawn_by",
    batch: "batch",
    fact: "to_jsonb(b)",
  },
  {
    table: "finished",
    step: "finish",
    stepSql: "'finish'",
    at: "finished_at",
    by: "finished_by",
    batch: "batch",
    fact: "to_jsonb(b)",
  },
];

/** Has each new row of a table go into history. */
export function chainTrigger({ table, step, at, by, batch }: Source): string {
  return `CREATE TRIGGER ${table}_are_chained AFTER INSERT ON partner.${table}
  FOR EACH ROW EXECUTE FUNCTION partner.chain_row('${step}', '${at}', '${by}', '${batch}');
ALTER TABLE partner.${table} ENABLE ALWAYS TRIGGER ${table}_are_chained;`;
}

const former = factSources
  .map(
    ({ table, stepSql, at, by, batch, fact }) =>
      `SELECT ${stepSql} AS step, b.${at} AS at, b.${by} AS said_by, b.${batch} AS batch, ${fact}::text AS body FROM partner.${table} b`,
  )
  .join("\n    UNION ALL ");

/**
 * Decisions of people, in one history with orders and their outcomes. A fact comes after the event that was last when
 * it entered history (`after_event`), and before every later one: a transaction that numbers events first numbers the
 * waiting facts, so that an approval comes before the orders that rest on it.
 *
 * A transaction that numbers events locks the row of `partner.journal`. Makers and checkers lock it only while they
 * commit: a transaction that stays open would delay every payment. Facts that still wait then are numbered with the
 * next order.
 */
export const chainOfFacts = `CREATE TABLE partner.pending_facts (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  step text NOT NULL,
  at bigint NOT NULL,
  said_by text NOT NULL,
  batch text,
  body text NOT NULL
);

CREATE TABLE partner.facts (
  number bigint PRIMARY KEY,
  after_event bigint NOT NULL,
  step text NOT NULL,
  at bigint NOT NULL,
  said_by text NOT NULL,
  batch text,
  body text NOT NULL,
  seal text NOT NULL
);
CREATE INDEX facts_batch ON partner.facts (batch, number);
CREATE INDEX facts_after ON partner.facts (after_event, number);

CREATE FUNCTION partner.chain_row() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  b record := NEW;
  fact jsonb;
  step text := TG_ARGV[0];
BEGIN
  IF TG_TABLE_NAME = 'batches' THEN
    fact := ${batchFact};
  ELSE
    fact := to_jsonb(NEW);
  END IF;
  IF step = 'decide' THEN
    step := ${decisionStep};
  END IF;
  INSERT INTO partner.pending_facts (step, at, said_by, batch, body)
    VALUES (step, coalesce((fact ->> TG_ARGV[1])::bigint, ${nowMs}), coalesce(fact ->> TG_ARGV[2], session_user),
      fact ->> TG_ARGV[3], fact::text);
  RETURN NULL;
END $$;

CREATE FUNCTION partner.weave() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  WITH taken AS (DELETE FROM partner.pending_facts RETURNING *),
    numbered AS (SELECT t.*, (SELECT coalesce(max(f.number), 0) FROM partner.facts f) + row_number() OVER (ORDER BY t.number) AS place
      FROM taken t)
  INSERT INTO partner.facts (number, after_event, step, at, said_by, batch, body, seal)
    SELECT n.place, OLD.events, n.step, n.at, n.said_by, n.batch, n.body, encode(sha256(convert_to(concat_ws(E'\\n', n.place,
      OLD.events, n.step, n.at, n.said_by, coalesce(n.batch, ''), n.body), 'UTF8')), 'hex') FROM numbered n;
  RETURN NEW;
END $$;

CREATE FUNCTION partner.weave_soon() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} SET lock_timeout = '2s' AS $$
BEGIN
  IF current_query() !~* '^\\s*(commit|end)\\s*;?\\s*$' OR NOT EXISTS (SELECT FROM partner.pending_facts) THEN
    RETURN NULL;
  END IF;
  BEGIN
    UPDATE partner.journal SET events = events;
  EXCEPTION WHEN lock_not_available THEN
    NULL;
  END;
  RETURN NULL;
END $$;

CREATE TRIGGER facts_are_woven BEFORE UPDATE ON partner.journal
  FOR EACH ROW EXECUTE FUNCTION partner.weave();
ALTER TABLE partner.journal ENABLE ALWAYS TRIGGER facts_are_woven;
CREATE CONSTRAINT TRIGGER facts_are_woven_soon AFTER INSERT ON partner.pending_facts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION partner.weave_soon();
CREATE TRIGGER facts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.facts
  EXECUTE FUNCTION partner.refuse('history is never changed');
${factSources.map((source) => chainTrigger(source)).join("\n")}
CREATE TRIGGER policy_is_chained AFTER UPDATE ON partner.policy
  FOR EACH ROW EXECUTE FUNCTION partner.chain_row('policy', '', '', '');
ALTER TABLE partner.policy ENABLE ALWAYS TRIGGER policy_is_chained;

INSERT INTO partner.pending_facts (step, at, said_by, batch, body)
  SELECT * FROM (${former}) AS former ORDER BY at;
UPDATE partner.journal SET events = events;`;
