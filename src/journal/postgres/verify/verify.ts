import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { DamageError } from "../../../storage/failures.ts";
import type { RowCounts } from "../../history/history.ts";
import { eventOf } from "../../movement-row.ts";
import { archivedPageSql, checkArchived, emptiedSql } from "../../archive/check.ts";
import { DaySums, openKeyed } from "../../lookups/derived.ts";
import { NamedProofs } from "../../history/proof-names.ts";
import { isArchivedEvent, openEvent, textColumn } from "../../history/row.ts";
import { refuseFormer } from "../chain/standings.ts";
import { verifyFacts } from "../chain/verify-facts.ts";
import { refusePartial } from "../roles/partial.ts";
import { numberIn, onlyRow } from "../rows.ts";
import { ordersBehindSql, verifyLookups, verifyProofs, verifySums } from "./derived.ts";
import { withRowName } from "../../sqlite/verify.ts";

const pageMaxRows = 500;
const lastNumbers = "SELECT movements, events FROM partner.journal";
/** How many are compared within a fraction of a statement's time limit. */
const comparedMaxRows = 10_000;
const lastState =
  "SELECT to_state FROM partner.events WHERE movement = m.number AND step <> 'contradict' ORDER BY number DESC LIMIT 1";
/** A movement whose state differs from the last state in its history. */
const unexplained = `SELECT number FROM partner.movements m
  WHERE number > $1 AND number <= $1 + ${comparedMaxRows} AND state IS DISTINCT FROM (${lastState}) LIMIT 1`;

/** Earlier movements with newer lines of history. */
const changedSince = "m.number <= $2 AND m.number IN (SELECT movement FROM partner.events WHERE number > $3)";
const changedSql = `${ordersBehindSql} AND ${changedSince} ORDER BY m.number LIMIT ${pageMaxRows}`;
const unexplainedSince = `SELECT m.number FROM partner.movements m WHERE number > $1 AND ${changedSince}
  AND state IS DISTINCT FROM (${lastState}) LIMIT 1`;

/**
 * Checks each row's seal, that one row gives the numbers, that these have no gaps up to the last one given and none
 * beyond, a history for each state, and what follows from orders: lookup keys and the sums of days. Where all of
 * history or what came since some counts is read, archived lines, decisions and their order are checked as well.
 * @param newest how many of the newest rows of each kind to check, or counts: then the rows added since
 * @throws {DamageError}
 * @throws {Failure} setup for a role that does not see everything
 */
export async function verifyShared(database: SharedDatabase, newest: number | RowCounts): Promise<RowCounts> {
  await refusePartial((text) => database.read(text));
  const last = onlyRow(await database.read(lastNumbers));
  const [lastMovement, lastEvent] = [numberIn(last, "movements"), numberIn(last, "events")];
  const isCounted = typeof newest === "number";
  const firstMovement = isCounted ? Math.max(0, lastMovement - newest) : newest.movements;
  const firstEvent = isCounted ? Math.max(0, lastEvent - newest) : newest.events;
  if (firstMovement > lastMovement || firstEvent > lastEvent) throw new DamageError("its last rows are missing");
  const sums = new DaySums();
  const movements = await countRows(database, "movements", firstMovement, (record) => {
    const row = openKeyed(record);
    if (firstMovement === 0) sums.add(row);
  });
  const named = new NamedProofs();
  const events = await countRows(database, "events", firstEvent, (record) => {
    const row = openEvent(record);
    if (isArchivedEvent(row)) return;
    eventOf(row);
    named.see(row);
  });
  await verifyProofs(database, named, isCounted && newest === Infinity);
  if (movements < lastMovement || events < lastEvent) throw new DamageError("its last rows are missing");
  // What others added meanwhile has its numbers by now.
  const given = onlyRow(await database.read(lastNumbers));
  if (movements > numberIn(given, "movements") || events > numberIn(given, "events"))
    throw new DamageError("it has rows whose numbers were never given, and would give them again");
  for (let after = firstMovement; after < movements; after += comparedMaxRows)
    if ((await database.read(unexplained, [after])).length > 0)
      throw new DamageError("an order has a state without a history");
  if (!isCounted) await verifyChanged(database, newest);
  if (firstMovement === 0) await verifySums(database, sums);
  if (firstEvent === 0 || !isCounted) {
    await verifyLookups(database);
    await verifyArchived(database);
    await refuseFormer(database);
    await verifyFacts((text, values) => database.read(text, values));
  }
  return { movements, events };
}

/** Checks earlier orders that have newer lines of history. */
async function verifyChanged(database: SharedDatabase, { movements, events }: RowCounts): Promise<void> {
  for (let after = 0; ;) {
    const page = await database.read(changedSql, [after, movements, events]);
    for (const record of page) {
      after = numberIn(record, "number");
      withRowName("movements", after, () => openKeyed(record));
    }
    if (page.length < pageMaxRows) break;
  }
  if ((await database.read(unexplainedSince, [0, movements, events])).length > 0)
    throw new DamageError("an order has a state without a history");
}

async function verifyArchived(database: SharedDatabase): Promise<void> {
  const [emptied] = await database.read(emptiedSql("partner."));
  if (emptied !== undefined)
    throw new DamageError(
      `the order ${textColumn(emptied, "reference")} is emptied, and no step says that it was archived`,
    );
  for (let after = 0; ;) {
    const page = await database.read(archivedPageSql("partner.", "$1"), [after]);
    const numbers = page.map((record) => numberIn(record, "movement"));
    if (numbers.length === 0) return;
    const sql = "SELECT * FROM partner.events WHERE movement = ANY ($1::bigint[]) ORDER BY movement, number";
    checkArchived(await database.read(sql, [numbers.map(String)]));
    after = numbers.at(-1) ?? after;
  }
}

async function countRows(
  database: SharedDatabase,
  table: "movements" | "events",
  first = 0,
  open: (record: object) => void,
): Promise<number> {
  const behind = table === "movements" ? ordersBehindSql : "SELECT m.* FROM partner.events m WHERE m.number > $1";
  const sql = `${behind} ORDER BY m.number LIMIT ${pageMaxRows}`;
  let count = first;
  for (;;) {
    const page = await database.read(sql, [count]);
    for (const record of page) {
      count += 1;
      if (record["number"] !== count) throw new DamageError(`a row is missing: number ${count} of its ${table}`);
      withRowName(table, count, () => open(record));
    }
    if (page.length < pageMaxRows) return count;
  }
}
