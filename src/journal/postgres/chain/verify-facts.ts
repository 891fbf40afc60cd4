import type { PostgresRecord, PostgresValue } from "../../../host/databases/postgres.ts";
import { DamageError } from "../../../storage/failures.ts";
import { begunSources } from "./begun-sql.ts";
import { factSources } from "./chain-sql.ts";
import { otherRedaction } from "./redact-sql.ts";
import { otherRulesSql } from "./rules-sql.ts";
import { wordSources } from "./words-sql.ts";
import type { Fact } from "./facts.ts";
import { factIn, hasFactsSql, memberOf } from "./facts.ts";
import { movedPartsSql } from "../rules/senders-sql.ts";
import { demandsIn, missingDecision } from "./needed-decisions.ts";

type Read = (text: string, values: readonly PostgresValue[]) => Promise<readonly PostgresRecord[]>;

const pageMaxRows = 500;
const factsSql = `SELECT * FROM partner.facts WHERE number > $1 ORDER BY number LIMIT ${pageMaxRows}`;
const allSources = [...factSources, ...begunSources];
/** Rows that differ from history or are missing in it, and don't wait to enter it. */
const unknownRows = allSources.map(
  ({ table, stepSql, batch, fact }) => `SELECT b.${batch} AS batch, '${table}' AS name FROM partner.${table} b
  WHERE NOT EXISTS (SELECT FROM partner.facts f WHERE f.batch = b.${batch} AND f.step = ${stepSql} AND ${fact} @> f.body::jsonb)
    AND NOT EXISTS (SELECT FROM partner.pending_facts f WHERE f.batch = b.${batch} AND f.step = ${stepSql}) LIMIT 1`,
);
const lostRows = allSources.map(
  ({ table, stepSql, batch, fact }) => `SELECT f.batch, '${table}' AS name FROM partner.facts f
  WHERE f.step IN (${stepsOf(stepSql)}) AND NOT EXISTS (SELECT FROM partner.${table} b
    WHERE b.${batch} = f.batch AND f.step = ${stepSql} AND ${fact} @> f.body::jsonb) LIMIT 1`,
);
/** The same for people's words other than on batches. History has a refusal with its order's batch at that time. */
const unknownWords = wordSources.map(
  ({ table, step, at, by }) => `SELECT b.${by} AS batch, '${table}' AS name FROM partner.${table} b
  WHERE NOT EXISTS (SELECT FROM partner.facts f WHERE f.step = '${step}' AND f.at = b.${at} AND f.said_by = b.${by} AND to_jsonb(b) @> (f.body::jsonb - 'batch'))
    AND NOT EXISTS (SELECT FROM partner.pending_facts f WHERE f.step = '${step}' AND f.at = b.${at}) LIMIT 1`,
);
const lostWords = wordSources.map(
  ({ table, step, at, by }) => `SELECT f.said_by AS batch, '${table}' AS name FROM partner.facts f
  WHERE f.step = '${step}' AND NOT EXISTS (SELECT FROM partner.${table} b
    WHERE b.${at} = f.at AND b.${by} = f.said_by AND to_jsonb(b) @> (f.body::jsonb - 'batch')) LIMIT 1`,
);
const batchIds = "SELECT id FROM partner.batches WHERE id > $1 ORDER BY id LIMIT 100";
/**
 * A batch whose file, orders, rows or sums don't match its digest. The orders of a redacted one have no hashes of
 * requests: its rows are compared without them.
 */
const otherContent = `SELECT b.id FROM partner.batches b WHERE b.id = ANY ($1::text[]) AND (
    coalesce(b.redacted_digest, b.digest) <> encode(sha256(sha256(convert_to(b.description, 'UTF8')) || sha256(b.content) || sha256(convert_to(b.orders, 'UTF8'))), 'hex')
    OR EXISTS (SELECT (o ->> 0)::bigint, o ->> 1, o ->> 2, o ->> 3 FROM json_array_elements(b.orders::json) AS o
      EXCEPT SELECT r.line, r.kind, r.reference, CASE WHEN b.redacted_digest IS NULL THEN r.request_hash END FROM partner.batch_rows r WHERE r.batch = b.id)
    OR EXISTS (SELECT FROM partner.batch_facts f WHERE f.batch = b.id) AND (EXISTS (
      SELECT (o ->> 0)::bigint, (o ->> 4)::numeric, o ->> 5, o ->> 6, partner.receiver_key(o ->> 7, o ->> 8), (o ->> 9)::numeric, o ->> 10
        FROM json_array_elements(b.orders::json) AS o
      EXCEPT SELECT r.line, r.amount, r.currency, r.account, r.receiver, r.sender_amount, r.sender_currency
        FROM partner.batch_rows r WHERE r.batch = b.id)
      OR EXISTS (${movedPartsSql("b.id")}
        EXCEPT SELECT s.kind, s.account, s.currency, s.total, s.largest, s.is_sender FROM partner.batch_sums s WHERE s.batch = b.id))
    OR b.row_count <> (SELECT count(*) FROM partner.batch_rows r WHERE r.batch = b.id)) LIMIT 1`;
/**
 * The first and last claim of an order of each submitted batch, and what the rules demanded: those of its submission,
 * and those in force with its first order.
 */
const taken = `SELECT m.batch, min(e.number) AS first, max(e.number) AS last FROM partner.movements m
  JOIN LATERAL (SELECT max(c.number) AS number FROM partner.events c WHERE c.movement = m.number AND c.step = 'claim') e ON true
  WHERE m.batch IN (SELECT id FROM partner.batches) OR m.batch IN (SELECT batch FROM partner.facts) GROUP BY m.batch`;
const ofThatTime = `r.number IN ((SELECT x.rules FROM partner.batch_facts x WHERE x.batch = t.batch), (SELECT max(n.number)
      FROM partner.rules n WHERE EXISTS (SELECT FROM partner.facts f WHERE f.step = 'rules' AND f.after_event < t.first
        AND (f.body::jsonb ->> 'number')::bigint = n.second_word)))`;
const ordered = `SELECT t.batch, t.first, t.last, (SELECT json_agg(json_build_object('approvals', d.approvals, 'groups', d.groups))::text
    FROM partner.rules r, LATERAL partner.demand_of(t.batch, r.rules::json) d WHERE ${ofThatTime}) AS demands,
    (SELECT min((extract(epoch FROM (r.rules::json ->> 'expiry')::interval) * 1000)::bigint) FROM partner.rules r
      WHERE ${ofThatTime}) AS lives
  FROM (${taken}) t`;
/** An order without a submitted batch that was placed while every order had to have one. */
const unapproved = `WITH demands AS MATERIALIZED (SELECT f.after_event, f.body::jsonb ->> 'requires_approval' = 'true' AS is_demanded,
    lead(f.after_event) OVER (ORDER BY f.number) AS until FROM partner.facts f WHERE f.step = 'policy')
  SELECT m.reference FROM partner.movements m
  JOIN LATERAL (SELECT max(c.number) AS number FROM partner.events c WHERE c.movement = m.number AND c.step = 'claim') e ON true
  JOIN demands d ON d.is_demanded AND e.number > d.after_event AND (d.until IS NULL OR e.number <= d.until)
  WHERE m.batch IS NULL OR NOT EXISTS (SELECT FROM partner.facts s WHERE s.batch = m.batch AND s.step = 'submit') LIMIT 1`;
const otherOrder = `SELECT m.reference FROM partner.movements m JOIN partner.batches b ON b.id = m.batch
  WHERE NOT EXISTS (SELECT FROM partner.batch_rows r WHERE r.batch = m.batch AND r.line = m.batch_row AND r.kind = m.kind
    AND r.reference = m.reference AND r.request_hash = m.request_hash AND m.scope = b.scope) LIMIT 1`;

/**
 * Checks that history has all decisions as they are in their tables, and that every order of a batch comes after the
 * decisions that it needed.
 * @throws {DamageError}
 */
export async function verifyFacts(read: Read): Promise<void> {
  const [found] = await read(hasFactsSql, []);
  if (found?.["is_there"] !== true) return;
  const facts = await allFacts(read);
  const ofBatches = Map.groupBy(facts, ({ batch }) => batch);
  for (const sql of unknownRows) {
    const [row] = await read(sql, []);
    if (row !== undefined) throw new DamageError(`history lacks a row of ${about(row)}`);
  }
  for (const sql of lostRows) {
    const [row] = await read(sql, []);
    if (row !== undefined) throw new DamageError(`history has a row that is missing or changed in ${about(row)}`);
  }
  for (const sql of unknownWords) {
    const [row] = await read(sql, []);
    if (row !== undefined) throw new DamageError(`history lacks what ${saidBy(row)}`);
  }
  for (const sql of lostWords) {
    const [row] = await read(sql, []);
    if (row !== undefined) throw new DamageError(`history has what is missing or changed: ${saidBy(row)}`);
  }
  const [rules] = await read(otherRulesSql, []);
  if (rules !== undefined)
    throw new DamageError(`its rules number ${String(rules["number"])} are not those that two people set`);
  const [redacted] = await read(otherRedaction, []);
  if (redacted !== undefined)
    throw new DamageError(`batch ${String(redacted["id"])} is redacted, and history does not say so as it is`);
  await verifyContents(read);
  for (const row of await read(ordered, [])) {
    const batch = String(row["batch"]);
    const { lives } = row;
    const orders = {
      first: Number(row["first"]),
      last: Number(row["last"]),
      began: facts[0]?.after ?? 0,
      lives: typeof lives === "number" ? lives : undefined,
    };
    const missing = missingDecision(ofBatches.get(batch) ?? [], orders, demandsIn(row["demands"]));
    if (missing !== undefined) throw new DamageError(`orders of batch ${batch} left, and ${missing}`);
  }
  const [alone] = await read(unapproved, []);
  if (alone !== undefined)
    throw new DamageError(`the order ${String(alone["reference"])} left without a batch while approval was demanded`);
  const [other] = await read(otherOrder, []);
  if (other !== undefined) throw new DamageError(`the order ${String(other["reference"])} is not the row of its batch`);
}

async function allFacts(read: Read): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for (;;) {
    const page = await read(factsSql, [facts.length]);
    for (const record of page) {
      const fact = factIn(record, facts.length + 1);
      if (fact.after < (facts.at(-1)?.after ?? 0)) throw new DamageError(`fact ${fact.number} of its history is moved`);
      // The approver's view is long, and not needed here.
      const names = ["digest", "member_of", "acting_for"].map((name) => [name, memberOf(fact.body, name)]);
      facts.push({ ...fact, body: JSON.stringify(Object.fromEntries(names)) });
    }
    if (page.length < pageMaxRows) return facts;
  }
}

async function verifyContents(read: Read): Promise<void> {
  for (let after = ""; ;) {
    const ids = (await read(batchIds, [after])).map(({ id }) => String(id));
    const last = ids.at(-1);
    if (last === undefined) return;
    const [other] = await read(otherContent, [ids]);
    if (other !== undefined) throw new DamageError(`batch ${String(other["id"])} is not what was submitted`);
    after = last;
  }
}

function about({ batch, name }: PostgresRecord): string {
  return `its ${String(name)}, batch ${String(batch)}`;
}

function saidBy({ batch, name }: PostgresRecord): string {
  return `${String(batch)} said in its ${String(name)}`;
}

/** The possible values of a step expression. */
function stepsOf(sql: string): string {
  return [...sql.matchAll(/(?:^|THEN |ELSE )('\w+')/g)].map(([, step]) => step).join(", ");
}
