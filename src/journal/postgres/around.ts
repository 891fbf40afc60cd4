import type { PostgresRecord, Statement } from "../../host/databases/postgres.ts";
import type { AroundRows, AskedKeys } from "../lookups/around.ts";
import { aroundMaxRows, seenOf } from "../lookups/around.ts";
import type { MovementKey } from "../movement.ts";
import type { MovementRow } from "../history/row.ts";
import { isStorable, textColumn } from "../history/row.ts";
import { accountsSql, scopesIn } from "./lookups.ts";
import { movementIn } from "./rows.ts";

const byKeySql = "SELECT * FROM partner.movements WHERE reference = $1 AND kind = $2 FOR UPDATE";
const isUsed = "k.standing IN ('done', 'open')";
const nearSql = `SELECT m.* FROM unnest($1::text[]) AS asked (key) CROSS JOIN LATERAL (
    SELECT k.near_key, m.* FROM partner.order_keys k JOIN partner.movements m ON m.number = k.movement
    WHERE k.near_key = asked.key AND ${isUsed} ORDER BY k.movement DESC LIMIT ${aroundMaxRows}) m`;
/** Batch by batch: the rows of one never hide those of another. */
const likeSql = `WITH RECURSIVE groups (key, standing, batch) AS (
    SELECT asked.key, s.standing, first.batch
      FROM unnest($1::text[]) AS asked (key) CROSS JOIN (VALUES ('open'), ('done')) AS s (standing)
      CROSS JOIN LATERAL (SELECT k.batch FROM partner.order_keys k
        WHERE k.like_key = asked.key AND k.standing = s.standing ORDER BY k.batch LIMIT 1) first
    UNION ALL
    SELECT g.key, g.standing, next.batch FROM groups g CROSS JOIN LATERAL (SELECT k.batch FROM partner.order_keys k
      WHERE k.like_key = g.key AND k.standing = g.standing AND k.batch > g.batch ORDER BY k.batch LIMIT 1) next)
  SELECT m.* FROM groups g CROSS JOIN LATERAL (
    SELECT k.like_key, m.* FROM partner.order_keys k JOIN partner.movements m ON m.number = k.movement
    WHERE k.like_key = g.key AND k.standing = g.standing AND k.batch = g.batch
    ORDER BY k.movement DESC LIMIT ${aroundMaxRows}) m WHERE g.batch IS DISTINCT FROM $2::text`;
const seenSql = "SELECT * FROM partner.seen WHERE near_form = ANY ($1::text[])";

/** All lookups for orders of one account, at once. */
export function aroundStatements(asked: readonly AskedKeys[], batch: string | undefined): Statement[] {
  const [nears, likes, forms] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { near, likes: keys, form } of asked) {
    nears.add(near);
    for (const key of keys) likes.add(key);
    if (isStorable(form)) forms.add(form);
  }
  return [
    { text: accountsSql },
    { text: nearSql, values: [[...nears]] },
    { text: likeSql, values: [[...likes], batch ?? null] },
    { text: seenSql, values: [[...forms]] },
  ];
}

/** The rows in the answers to `aroundStatements`. */
export function aroundRows(answers: readonly (readonly PostgresRecord[])[]): AroundRows {
  const [accounts = [], near = [], like = [], seen = []] = answers;
  return {
    accounts: scopesIn(accounts),
    near: groupBy(near, "near_key", rowsIn),
    like: groupBy(like, "like_key", rowsIn),
    seen: groupBy(seen, "near_form", (records) => records.map((record) => seenOf(record))),
  };
}

function groupBy<T>(
  records: readonly PostgresRecord[],
  name: string,
  read: (records: readonly PostgresRecord[]) => T,
): ReadonlyMap<string, T> {
  const groups = Map.groupBy(records, (record) => textColumn(record, name));
  return new Map([...groups].map(([key, group]) => [key, read(group)]));
}

/** The movements under an order's reference, of any account; locked until the end of the transaction. */
export function standingStatement({ reference, kind }: MovementKey): Statement {
  return { text: byKeySql, values: [reference, kind] };
}

/**
 * The order that counts among those under one reference of one account: one that may have moved money, or else the
 * newest.
 */
export function standingRow(rows: readonly MovementRow[]): MovementRow | undefined {
  const newest = rows.toSorted((one, other) => other.number - one.number);
  return newest.find(({ state }) => state !== "unsent" && state !== "refused") ?? newest[0];
}

/** @throws {DamageError} where one is not as it was written */
export function rowsIn(records: readonly PostgresRecord[]): MovementRow[] {
  return records.flatMap((record) => movementIn(record) ?? []);
}
