import type { Database } from "../../storage/sqlite/database.ts";
import { checkIndexes } from "../../storage/sqlite/index-check.ts";
import { checkStructure } from "../../storage/sqlite/layout.ts";
import { DamageError } from "../../storage/failures.ts";
import type { UnlockedDatabase } from "../../storage/sqlite/unlocked.ts";
import { checkUnlocked, isQuicklyRead } from "../../storage/sqlite/unlocked.ts";
import type { RowCounts } from "../history/history.ts";
import { eventOf, movementOf } from "../movement-row.ts";
import { archivedPageSql, checkArchived, emptiedSql } from "../archive/check.ts";
import { DaySums, openKeyed } from "../lookups/derived.ts";
import { hasArchive } from "./archiving.ts";
import { hasKeys, ordersSql, verifyLookups, verifyProofs, verifySums } from "./verify-derived.ts";
import { checkTriggers } from "./trigger-check.ts";
import { NamedProofs } from "../history/proof-names.ts";
import type { MovementRow } from "../history/row.ts";
import { isArchivedEvent, movementColumns, openEvent, openRow, textColumn } from "../history/row.ts";

const pageMaxRows = 500;
/** How many are compared within a few hundredths of a second. */
const comparedMaxRows = 5_000;
/** A movement whose state differs from the last state in its history. */
const unexplained = `SELECT number FROM movements
  WHERE number > :after AND number <= :after + ${comparedMaxRows} AND state IS NOT (
    SELECT to_state FROM events WHERE movement = movements.number AND step <> 'contradict' ORDER BY number DESC LIMIT 1
  ) LIMIT 1`;

/** Earlier movements with newer lines of history. */
const changedSince = "number <= :movements AND number IN (SELECT movement FROM events WHERE number > :events)";
const unexplainedSince = `SELECT number FROM movements WHERE ${changedSince} AND state IS NOT (
    SELECT to_state FROM events WHERE movement = movements.number AND step <> 'contradict' ORDER BY number DESC LIMIT 1
  ) LIMIT 1`;

/**
 * Checks the pages, each row's seal, numbers without gaps, a history for each state, what follows from orders (lookup
 * keys and the sums of days), and the triggers that protect all of it. Writers never wait for more than a second,
 * however large the journal is. While others write all the time, the pages themselves are not checked, but every row in
 * each table and each index is.
 * @param newest how many of the newest rows of each kind to check, or counts: then the rows added since
 * @throws {DamageError}
 */
export function verifyJournal(parts: UnlockedDatabase, newest: number | RowCounts): RowCounts {
  const { database } = parts;
  const isCounted = typeof newest === "number";
  const before = (table: "movements" | "events") => {
    const last = Number(database.value(`SELECT coalesce(max(number), 0) FROM ${table}`));
    if (!isCounted && newest[table] > last) throw new DamageError("its last rows are missing");
    return isCounted ? Math.max(0, last - newest) : newest[table];
  };
  const first = before("movements");
  if (isQuicklyRead(database)) checkStructure(database);
  else if (first === 0 && !checkUnlocked(parts)) checkIndexes(database);
  const isKeyed = hasKeys(database);
  const open = (record: unknown) => (isKeyed ? openKeyed(record) : openRow(movementColumns, record));
  const sums = new DaySums();
  const movements = countRows(database, "movements", first, (record) => {
    const row = open(record);
    movementOf(row, false);
    if (first === 0) sums.add(row);
    return row;
  });
  if (isKeyed && (first === 0 || !isCounted)) verifyLookups(database);
  if (isKeyed && first === 0) verifySums(database, sums);
  const named = new NamedProofs();
  const events = countRows(database, "events", before("events"), (record) => {
    const row = openEvent(record);
    if (isArchivedEvent(row)) return row;
    eventOf(row);
    named.see(row);
    return row;
  });
  if (isKeyed) verifyProofs(database, named, isCounted && newest === Infinity);
  if ((first === 0 || !isCounted) && hasArchive(database)) verifyArchived(database);
  if (!isCounted) verifyChanged(database, newest, open);
  for (let after = first; after < movements; after += comparedMaxRows)
    if (database.get(unexplained, { after }) !== undefined)
      throw new DamageError("an order has a state without a history");
  checkTriggers(database);
  return { movements, events };
}

/** Checks earlier orders that have newer lines of history. */
function verifyChanged(
  database: Database,
  { movements, events }: RowCounts,
  open: (record: unknown) => MovementRow,
): void {
  const sql = `${ordersSql(database)} WHERE m.number > :after AND ${changedSince} ORDER BY m.number LIMIT ${pageMaxRows}`;
  for (let after = 0; ;) {
    const page = database.all(sql, { after, movements, events });
    for (const record of page) {
      after = Number(Reflect.get(Object(record), "number"));
      withRowName("movements", after, () => movementOf(open(record), false));
    }
    if (page.length < pageMaxRows) break;
  }
  if (database.get(unexplainedSince, { movements, events }) !== undefined)
    throw new DamageError("an order has a state without a history");
}

function verifyArchived(database: Database): void {
  const emptied = database.get(emptiedSql(""));
  if (emptied !== undefined)
    throw new DamageError(
      `the order ${textColumn(emptied, "reference")} is emptied, and no step says that it was archived`,
    );
  for (let after: unknown = 0; ;) {
    const page = database.all(archivedPageSql("", ":after"), { after: Number(after) });
    if (page.length === 0) return;
    const numbers = page.map((record) => Reflect.get(Object(record), "movement"));
    const sql =
      "SELECT * FROM events WHERE movement IN (SELECT value FROM json_each(:numbers)) ORDER BY movement, number";
    checkArchived(database.all(sql, { numbers: JSON.stringify(numbers) }));
    after = numbers.at(-1);
  }
}

/**
 * Names the row in which something is damaged.
 * @throws {DamageError}
 */
export function withRowName<T>(table: "movements" | "events", number: number, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    throw new DamageError(`row ${number} of its ${table}: ${error.message}`, { cause: error });
  }
}

/** Reads and checks the rows in pages, so that others can write in between. @returns the last number */
function countRows(
  database: Database,
  table: "movements" | "events",
  first: number,
  open: (record: unknown) => object,
): number {
  const from = table === "movements" ? ordersSql(database) : "SELECT * FROM events m";
  const sql = `${from} WHERE m.number > :count ORDER BY m.number LIMIT ${pageMaxRows}`;
  let count = first;
  for (;;) {
    const page = database.all(sql, { count });
    for (const record of page) {
      count += 1;
      if (
        Reflect.get(
          withRowName(table, count, () => open(record)),
          "number",
        ) !== count
      )
        throw new DamageError(`a row is missing: number ${count} of its ${table}`);
    }
    if (page.length < pageMaxRows) return count;
  }
}
