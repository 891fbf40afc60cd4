import { createHash } from "node:crypto";
import { decodeJson, encodeJson } from "../../../contract/wire.ts";
import type { Cover } from "../../../contract/redaction.ts";
import { coverText, withoutPeople } from "../../../contract/redaction.ts";
import type { Statement } from "../../../host/databases/postgres.ts";
import type { SharedDatabase, Transaction } from "../../../storage/postgres/database.ts";
import type { JsonObject, JsonValue } from "../../../values/json.ts";
import { isJsonObject } from "../../../values/json.ts";
import { hashOfLine } from "../../history/chain-line.ts";
import type { Who } from "../../movement.ts";
import type { OrderLines, RedactionTools } from "../../redaction/redacted-order.ts";
import { isKeptFrom, sha256 } from "../../requests/request-hash.ts";
import type { MovementRow } from "../../history/row.ts";
import { textColumn } from "../../history/row.ts";
import { nowMs } from "../approvals/words.ts";
import { sealOfDecision } from "./decision-seal.ts";
import type { Fact } from "./facts.ts";
import { factIn, sealOfFact } from "./facts.ts";
import { standingsSql } from "./redact-sql.ts";
import { factLine } from "./shared-history.ts";

const textsSql = "SELECT description, orders FROM partner.batches WHERE id = $1 AND redacted_digest IS NULL";
const batchSql = "SELECT redacted_digest IS NOT NULL AS is_redacted FROM partner.batches WHERE id = $1 FOR UPDATE";
const factsSql = "SELECT * FROM partner.facts WHERE batch = $1 ORDER BY number";
const waitingSql = "SELECT number FROM partner.pending_facts WHERE batch = $1";
/** Rows whose order was redacted before the batch. */
const keptSql = `SELECT r.line, r.request_hash, m.request_hash AS kept FROM partner.batch_rows r
  JOIN partner.movements m ON m.reference = r.reference AND m.kind = r.kind AND m.request_hash LIKE 'pbkdf2:%'
  WHERE r.batch = $1`;

const changeBatch = `UPDATE partner.batches SET content = '', description = $2, orders = $3, redacted_digest = $4
  WHERE id = $1`;
/** The hash of a request that was never ordered would only serve to guess the request. */
const changeRows = `UPDATE partner.batch_rows r SET receiver = partner.receiver_key(o ->> 7, o ->> 8),
    request_hash = CASE WHEN EXISTS (SELECT FROM partner.movements m WHERE m.reference = r.reference AND m.kind = r.kind
        AND m.request_hash = r.request_hash) THEN r.request_hash
      ELSE 'redacted-' || replace(gen_random_uuid()::text, '-', '') END
  FROM json_array_elements($2::json) AS o WHERE r.batch = $1 AND r.line = (o ->> 0)::bigint`;
const changeKept = `UPDATE partner.batch_rows r SET request_hash = k.hash
  FROM unnest($2::bigint[], $3::text[]) AS k (line, hash) WHERE r.batch = $1 AND r.line = k.line`;
const changeDecision = "UPDATE partner.approvals SET reason = $2, looked = $3, redacted_seal = $4 WHERE number = $1";
const changeWord = "UPDATE partner.refusals SET evidence = $2 WHERE number = $1";
const changeFact = "UPDATE partner.facts SET body = $2, redacted_seal = $3, line_hash = $4 WHERE number = $1";
const addFact = `INSERT INTO partner.pending_facts (step, at, said_by, batch, body)
  VALUES ('redact', ${nowMs}, session_user, $1, $2)`;
/** Has waiting facts enter history. */
const weave = "UPDATE partner.journal SET events = events";

const changeRowsOfOrder = `UPDATE partner.batch_rows r SET request_hash = $4
  WHERE r.reference = $1 AND r.kind = $2 AND r.request_hash = $3 AND partner.is_redacted(r.batch)`;

/** Whether batches are submitted here, and can be redacted. */
export const canRedactSql = "SELECT to_regprocedure('partner.is_redacted(text)') IS NOT NULL AS can_redact";
const wholeSql = `SELECT b.id FROM partner.batches b WHERE b.redacted_digest IS NULL AND b.id IN (
  SELECT m.batch FROM partner.movements m WHERE m.id = ANY ($1::text[]))`;

/** The submitted batches of these orders that were not redacted: orders of such batches stay as they are. */
export async function wholeBatches(
  transaction: Transaction,
  orders: readonly OrderLines[],
): Promise<ReadonlySet<string>> {
  const [records = []] = await transaction.run({ text: wholeSql, values: [orders.map(({ id }) => id)] });
  return new Set(records.map((record) => textColumn(record, "id")));
}

/** A batch's texts without personal data. */
export interface BatchWithout {
  readonly description: string;
  readonly orders: string;
  /** Lines of rows whose order was redacted before them, each with the hash that the order has. */
  readonly kept: ReadonlyMap<number, string>;
}

/**
 * Prepares the slow part for a large batch before the transaction: a batch that is over does not change.
 * @returns undefined where it was redacted
 */
export async function batchWithout(
  database: SharedDatabase,
  id: string,
  cover: Cover,
): Promise<BatchWithout | undefined> {
  const [texts] = await database.read(textsSql, [id]);
  if (texts === undefined) return undefined;
  const kept = (await database.read(keptSql, [id])).filter((record) =>
    isKeptFrom(textColumn(record, "kept"), textColumn(record, "request_hash")),
  );
  return {
    description: descriptionWithout(textColumn(texts, "description"), cover),
    orders: ordersWithout(textColumn(texts, "orders"), cover),
    kept: new Map(kept.map((record) => [Number(record["line"]), textColumn(record, "kept")])),
  };
}

/**
 * Takes names, numbers and texts out of a batch that is over: its file, its rows, its decisions, and the lines of
 * history about it. Its digest stays, as its signatures are over it.
 * @returns false where it is not over, or has changed since its lines were looked at
 */
export async function redactBatch(
  transaction: Transaction,
  { id, lines }: OrderLines,
  { before, cover }: Pick<RedactionTools, "before" | "cover">,
  without: BatchWithout | undefined,
  who: Who,
): Promise<boolean> {
  const asked = [batchSql, factsSql, waitingSql].map((text): Statement => ({ text, values: [id] }));
  const answers = await transaction.run(...asked, { text: standingsSql, values: [before, id] });
  const [[batch] = [], records = [], waiting = [], [found] = []] = answers;
  // Another run was first, or this run was and its answer was lost.
  if (batch?.["is_redacted"] === true) return true;
  // Waiting facts enter history now, and the next run knows their lines.
  if (waiting.length > 0) transaction.finish({ text: weave });
  const isOver = found?.["standing"] === "over" && waiting.length === 0 && records.length === lines.length;
  if (!isOver || without === undefined) return false;
  const facts = records.map((record) => factIn(record, Number(record["number"])));
  const hashes: [string, readonly [string, string]][] = [];
  const changes = facts.flatMap((fact, at): Statement[] => {
    const place = lines[at];
    const next = factWithout(fact, cover);
    if (place === undefined || next.body === fact.body) return [];
    hashes.push([String(place.number), [place.hash, hashOfLine(place.previous, factLine(next, place.number))]]);
    const changed = { text: changeFact, values: [fact.number, next.body, sealOfFact(next), place.hash] };
    return [changed, ...ownRow(next)];
  });
  const { description, orders, kept } = without;
  const digest = digestOf(description, orders);
  const body = JSON.stringify({
    batch: id,
    digest,
    lines: JSON.stringify(Object.fromEntries(hashes)),
    who: JSON.stringify(who),
  });
  transaction.finish(
    { text: changeBatch, values: [id, description, orders, digest] },
    { text: changeRows, values: [id, orders] },
    { text: changeKept, values: [id, [...kept.keys()].map(String), [...kept.values()]] },
    ...changes,
    { text: addFact, values: [id, body] },
    { text: weave },
  );
  return true;
}

/**
 * Keeps the rows of a redacted order in redacted batches linked to it by its new hash. @param former the hash of its
 * request until now
 */
export function rowsOfOrder({ reference, kind, request_hash: hash }: MovementRow, former: string): Statement {
  return { text: changeRowsOfOrder, values: [reference, kind, former, hash] };
}

/** The digest of description, file and orders, as the database computes it for a submission; the file is empty. */
function digestOf(description: string, orders: string): string {
  const parts = [description, "", orders].map((text) => Buffer.from(sha256(text), "hex"));
  return createHash("sha256").update(Buffer.concat(parts)).digest("hex");
}

function factWithout(fact: Fact, cover: Cover): Fact {
  const body = membersOf(fact.body);
  const texts: Readonly<Record<string, (text: string) => string | null>> = {
    description: (text) => descriptionWithout(text, cover),
    reason: (text) => coverText(text, cover),
    evidence: (text) => coverText(text, cover),
    looked: (text) => lookedWithout(text, cover),
  };
  const covered = Object.entries(body).map(([name, value]): [string, unknown] => {
    const change = typeof value === "string" ? texts[name] : undefined;
    return [name, change === undefined || typeof value !== "string" ? value : change(value)];
  });
  const isSame = covered.every(([name, value]) => body[name] === value);
  if (isSame) return fact;
  // The row itself will have this column filled by then.
  const members = Object.fromEntries(covered.filter(([name]) => name !== "redacted_seal"));
  return { ...fact, body: JSON.stringify(members) };
}

/** Statements that change the row that a line of history is about. */
function ownRow({ step, body }: Fact): readonly Statement[] {
  const members = membersOf(body);
  const text = (name: string) => (typeof members[name] === "string" ? members[name] : null);
  const number = Number(members["number"]);
  if (step === "refuse") return [{ text: changeWord, values: [number, text("evidence")] }];
  if (step !== "approve" && step !== "reject") return [];
  const { batch, digest, decision, decided_by, decided_at } = members;
  const [reason, looked, member_of, acting_for] = ["reason", "looked", "member_of", "acting_for"].map(text);
  const said = { reason: reason ?? null, looked: looked ?? null };
  const people = { member_of: member_of ?? null, acting_for: acting_for ?? null };
  const seal = sealOfDecision({ number, batch, digest, decision, decided_by, decided_at, ...said, ...people });
  return [{ text: changeDecision, values: [number, said.reason, said.looked, seal] }];
}

/** Members that say how a file is read, without any personal text. */
const plainMembers = new Set(["id", "scope", "kind", "delimiter", "tagged", "round", "plannedAt", "orders"]);

function descriptionWithout(text: string, cover: Cover): string {
  const value = decodeJson(text);
  if (!isJsonObject(value)) return withoutPeople(text, cover);
  return encodeJson(membersWithout(value, cover));
}

function membersWithout(description: JsonObject, cover: Cover): JsonObject {
  return Object.fromEntries(
    Object.entries(description).map(([name, value]) => [name, plainMembers.has(name) ? value : covered(value, cover)]),
  );
}

/** Values for all rows go by the names of columns: `to` is a person's number in a payout. */
function covered(value: JsonValue, cover: Cover): JsonValue {
  if (Array.isArray(value)) return value.map((item) => covered(item, cover));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, covered(member, cover)]));
  return typeof value === "string" ? coverText(value, cover) : value;
}

/** Line, kind, reference, amount, currency and paying wallet of each row stay, and what a remittance's sender pays. */
function ordersWithout(text: string, cover: Cover): string {
  const rows = decodeJson(text);
  const lines = (Array.isArray(rows) ? rows : []).map((row) => {
    const [line = null, kind = null, reference = null, , ...moved] = Array.isArray(row) ? row : [];
    const [amount = null, currency = null, account = null, receiver = null, institution = null, ...sender] = moved;
    const named = typeof receiver === "string" ? coverText(receiver, cover) : null;
    return encodeJson([line, kind, reference, null, amount, currency, account, named, institution, ...sender]);
  });
  return `[${lines.join(",\n")}]`;
}

/** Names of wallets go; what was counted and expected stays. */
function lookedWithout(text: string, cover: Cover): string {
  const value = decodeJson(text);
  const wallets = isJsonObject(value) ? value["wallets"] : undefined;
  if (!isJsonObject(value) || !isJsonObject(wallets)) return text;
  const named = Object.entries(wallets).map(([account, wallet]): [string, JsonValue] => {
    if (!isJsonObject(wallet) || typeof wallet["name"] !== "string") return [account, wallet];
    return [account, { ...wallet, name: coverText(wallet["name"], cover) }];
  });
  return encodeJson({ ...value, wallets: Object.fromEntries(named) });
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return Object.fromEntries(Object.entries(Object(value)));
}
