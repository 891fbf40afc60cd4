import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { DamageError } from "../../../storage/failures.ts";
import type { DaySums } from "../../lookups/derived.ts";
import { boundsOf, checkDay, checkSeen, keyedColumns, storedSum } from "../../lookups/derived.ts";
import type { NamedProofs } from "../../history/proof-names.ts";
import { checkProof, namesProofsSql } from "../../history/proof-names.ts";
import { textColumn } from "../../history/row.ts";
import { lockSlots, turnSlot } from "../lock-slots.ts";
import { numberIn } from "../rows.ts";

const pageMaxRows = 500;
/**
 * Reads orders after number $1 with their lookup keys. Without the condition on keys, PostgreSQL would read all earlier
 * keys for each page.
 */
export const ordersBehindSql = `SELECT ${keyedColumns} FROM partner.movements m
  LEFT JOIN partner.order_keys k ON k.movement = m.number AND k.movement > $1 WHERE m.number > $1`;
const looseSql = `SELECT 1 AS loose FROM partner.order_keys k
  WHERE NOT EXISTS (SELECT FROM partner.movements m WHERE m.number = k.movement) LIMIT 1`;
const unnamedSql = `SELECT m.scope FROM partner.movements m
  WHERE NOT EXISTS (SELECT FROM partner.accounts a WHERE a.scope = m.scope) LIMIT 1`;
/** Roles that only read don't see locks. */
const mayLockSql = "SELECT has_table_privilege('partner.lock_slots', 'SELECT') AS may_lock";
const missingLockSql = `SELECT slot FROM generate_series(0, ${lockSlots - 1}) AS slot UNION SELECT ${turnSlot}
  EXCEPT SELECT slot FROM partner.lock_slots LIMIT 1`;
const seenSql = `SELECT * FROM partner.seen WHERE (row_key, reference) > ($1, $2)
  ORDER BY row_key, reference LIMIT ${pageMaxRows}`;
const proofsSql = `SELECT row_key, movement, "row" FROM partner.proofs WHERE row_key > $1
  ORDER BY row_key LIMIT ${pageMaxRows}`;
const proofSql = `SELECT p.movement, p."row", e.replaced FROM partner.proofs p
  LEFT JOIN partner.events e ON e.movement = p.movement AND ${namesProofsSql} WHERE p.row_key = $1 ORDER BY e.number`;
const sumsSql = "SELECT scope, day, currency, amount::text AS amount FROM partner.spendings";
const daySql = `SELECT m.*, s.sums FROM (
    SELECT json_agg(json_build_array(scope, day, currency, amount::text))::text AS sums FROM partner.spendings
    WHERE day = $1) s
  LEFT JOIN partner.movements m ON m.opened_at >= $2 AND m.opened_at < $3`;

/**
 * Checks what belongs to no single order: keys without one, names of accounts, locks, and rows that were seen.
 * @throws {DamageError}
 */
export async function verifyLookups(database: SharedDatabase): Promise<void> {
  const [loose] = await database.read(looseSql);
  if (loose !== undefined) throw new DamageError("it has keys of an order that it does not have");
  const [unnamed] = await database.read(unnamedSql);
  if (unnamed !== undefined) throw new DamageError(`it does not know its own account ${textColumn(unnamed, "scope")}`);
  const [right] = await database.read(mayLockSql);
  const [lock] = right?.["may_lock"] === true ? await database.read(missingLockSql) : [];
  if (lock !== undefined) throw new DamageError("a lock is missing: two orders like each other could leave at a time");
  for (let after: readonly string[] = ["", ""]; ;) {
    const page = await database.read(seenSql, after);
    checkSeen(page);
    const last = page.at(-1);
    if (last === undefined) return;
    after = [textColumn(last, "row_key"), textColumn(last, "reference")];
  }
}

/**
 * Compares running sums of days with those of all orders.
 * @throws {DamageError}
 */
export async function verifySums(database: SharedDatabase, sums: DaySums): Promise<void> {
  const stored = (await database.read(sumsSql)).map((record) => storedSum(record));
  for (const day of sums.differing(stored)) checkDay(day, await database.read(daySql, [day, ...boundsOf(day)]));
}

/**
 * Compares the rows that prove orders with those that history names.
 * @param isWhole true where all of history was read
 * @throws {DamageError}
 */
export async function verifyProofs(database: SharedDatabase, named: NamedProofs, isWhole: boolean): Promise<void> {
  const lookAgain = async (key: string) => checkProof(key, await database.read(proofSql, [key]));
  for (let after = "", isDone = !isWhole; !isDone;) {
    const page = await database.read(proofsSql, [after]);
    for (const record of page) {
      after = textColumn(record, "row_key");
      if (!named.checkOff(after, numberIn(record, "movement"), textColumn(record, "row"))) await lookAgain(after);
    }
    isDone = page.length < pageMaxRows;
  }
  for (const key of named.keys) await lookAgain(key);
}
