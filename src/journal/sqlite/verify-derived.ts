import type { Database } from "../../storage/sqlite/database.ts";
import { DamageError } from "../../storage/failures.ts";
import type { DaySums } from "../lookups/derived.ts";
import { boundsOf, checkDay, checkSeen, keyedColumns, storedSum } from "../lookups/derived.ts";
import type { NamedProofs } from "../history/proof-names.ts";
import { checkProof, namesProofsSql } from "../history/proof-names.ts";
import { textColumn } from "../history/row.ts";
import { movedTo } from "./relocation.ts";
import { namedVersion } from "./schema.ts";

const pageMaxRows = 500;
const keysSql = `SELECT count(*) AS keys, count(m.number) AS known, max(m.number) AS last
  FROM (SELECT movement FROM order_keys WHERE movement > :after ORDER BY movement LIMIT ${pageMaxRows}) k
  LEFT JOIN movements m ON m.number = k.movement`;
const unnamedSql = `SELECT scope FROM movements WHERE number > :after AND number <= :after + ${pageMaxRows}
  AND scope NOT IN (SELECT scope FROM accounts) LIMIT 1`;
/** The version that looks orders up by what they have in common. */
const keysVersion = 2;
const keyed = `SELECT ${keyedColumns} FROM movements m LEFT JOIN order_keys k ON k.movement = m.number`;
const seenSql = `SELECT rowid AS place, * FROM seen WHERE rowid > :after ORDER BY rowid LIMIT ${pageMaxRows}`;
const proofsSql = `SELECT row_key, movement, row FROM proofs WHERE row_key > :after ORDER BY row_key LIMIT ${pageMaxRows}`;
const proofSql = `SELECT p.movement, p.row, e.replaced FROM proofs p
  LEFT JOIN events e ON e.movement = p.movement AND ${namesProofsSql} WHERE p.row_key = :key ORDER BY e.number`;
const daySql = `SELECT m.*, (SELECT json_group_array(json_array(scope, day, currency, amount)) FROM spendings
    WHERE day = :day) AS sums
  FROM (SELECT 1) LEFT JOIN movements m ON m.opened_at >= :from AND m.opened_at < :to`;

/** SQL that reads orders with their lookup keys; in a journal of version 1 that can only be read, the orders alone. */
export function ordersSql(database: Database): string {
  return hasKeys(database) ? keyed : "SELECT m.* FROM movements m";
}

/** False for a journal of version 1 that can only be read. */
export function hasKeys(database: Database): boolean {
  const isThere = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'order_keys'") !== undefined;
  return isThere || Number(database.value("PRAGMA user_version")) >= keysVersion;
}

/**
 * Checks what belongs to no single order: keys without one, names of accounts, and rows that were seen.
 * @throws {DamageError}
 */
export function verifyLookups(database: Database): void {
  verifyKeys(database);
  verifyAccounts(database);
  for (let after = 0; ;) {
    const page = database.all(seenSql, { after });
    checkSeen(page);
    after = Number(Reflect.get(Object(page.at(-1)), "place"));
    if (page.length < pageMaxRows) return;
  }
}

function verifyKeys(database: Database): void {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { keys, known, last } = Object(database.get(keysSql, { after }));
    if (known < keys) throw new DamageError("it has keys of an order that it does not have");
    if (keys < pageMaxRows) return;
    after = Number(last);
  }
}

function verifyAccounts(database: Database): void {
  const last = Number(database.value("SELECT coalesce(max(number), 0) FROM movements"));
  for (let after = 0; after < last; after += pageMaxRows) {
    const unnamed = database.get(unnamedSql, { after });
    if (unnamed !== undefined)
      throw new DamageError(`it does not know its own account ${textColumn(unnamed, "scope")}`);
  }
}

/**
 * Compares running sums of days with those of all orders.
 * @throws {DamageError}
 */
export function verifySums(database: Database, sums: DaySums): void {
  const stored = database.all("SELECT * FROM spendings").map((record) => storedSum(record));
  for (const day of sums.differing(stored)) {
    const [from, to] = boundsOf(day);
    checkDay(day, database.all(daySql, { day, from, to }));
  }
}

/**
 * Compares the rows that prove orders with those that history names. In a journal that was moved, or of an earlier
 * version that can only be read, rows that history doesn't name pass.
 * @param isWhole true where all of history was read
 * @throws {DamageError}
 */
export function verifyProofs(database: Database, named: NamedProofs, isWhole: boolean): void {
  const isOld = Number(database.value("PRAGMA user_version")) < namedVersion || movedTo(database) !== undefined;
  const lookAgain = (key: string) => checkProof(key, database.all(proofSql, { key }));
  for (let after = "", isDone = isOld || !isWhole; !isDone;) {
    const page = database.all(proofsSql, { after });
    for (const record of page) {
      after = textColumn(record, "row_key");
      const movement = Number(Reflect.get(Object(record), "movement"));
      if (!named.checkOff(after, movement, textColumn(record, "row"))) lookAgain(after);
    }
    isDone = page.length < pageMaxRows;
  }
  for (const key of named.keys) lookAgain(key);
}
