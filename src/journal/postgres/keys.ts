import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { keyRowOf, movementOf } from "../movement-row.ts";
import { spendingStatements } from "./orders/beside.ts";
import { movementIn, numberIn } from "./rows.ts";
import { isKeptHash } from "../requests/request-hash.ts";
import { spendingOf } from "../spending.ts";

const pageMaxRows = 500;
/** The first order gets its keys last: where it has them, all have. */
const isMissingSql = `SELECT coalesce(
    (SELECT min(movement) FROM partner.order_keys), (SELECT max(number) + 1 FROM partner.movements)) AS first
  FROM partner.movements WHERE number = 1 AND NOT EXISTS (SELECT FROM partner.order_keys WHERE movement = 1)`;
const pageSql = `SELECT * FROM partner.movements WHERE number < $1 ORDER BY number DESC LIMIT ${pageMaxRows}`;
const putSql = `INSERT INTO partner.order_keys (movement, like_key, near_key, standing, batch)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING RETURNING movement`;

const renewSql = `UPDATE partner.order_keys k SET like_key = renewed.like_key
  FROM unnest($1::bigint[], $2::text[]) AS renewed (movement, like_key)
  WHERE k.movement = renewed.movement AND k.like_key <> renewed.like_key`;

/**
 * Renews the keys by which orders to one account are alike, before the migration: after an interruption it begins
 * again. A redacted order keeps its key: what it was made from is gone.
 */
export async function renewSharedLikes(database: SharedDatabase): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; before > 1;) {
    const rows = (await database.read(pageSql, [before])).flatMap((record) => movementIn(record) ?? []);
    const known = rows.filter((row) => !isKeptHash(row.request_hash));
    const values = [known.map(({ number }) => String(number)), known.map((row) => keyRowOf(row).like)];
    await database.write(async (transaction) => void (await transaction.run({ text: renewSql, values })));
    before = rows.at(-1)?.number ?? 1;
  }
}

/**
 * Adds lookup keys to the orders of an earlier version, and counts them for the limit of their day. It goes from the
 * newest to the oldest, a page at a time, and continues after an interruption.
 */
export async function fillSharedKeys(database: SharedDatabase): Promise<void> {
  const [found] = await database.read(isMissingSql);
  let before = found === undefined ? 1 : numberIn(found, "first");
  while (before > 1) {
    const rows = (await database.read(pageSql, [before])).flatMap((record) => movementIn(record) ?? []);
    const keys = rows.map((row) => keyRowOf(row));
    const numbers = rows.map(({ number }) => String(number));
    const texts = (["like", "near", "standing", "batch"] as const).map((name) => keys.map((key) => key[name]));
    const values = [numbers, ...texts];
    await database.write(async (transaction) => {
      const [added = []] = await transaction.run({ text: putSql, values });
      const fresh = new Set(added.map((record) => numberIn(record, "movement")));
      const spendings = rows.filter(({ number }) => fresh.has(number)).map((row) => spendingOf(movementOf(row, false)));
      transaction.finish(...spendings.flatMap((one) => (one === undefined ? [] : spendingStatements(one))));
    });
    before = rows.at(-1)?.number ?? 1;
  }
}
