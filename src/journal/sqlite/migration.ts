import type { Database } from "../../storage/sqlite/database.ts";
import type { DatabaseLayout } from "../../storage/sqlite/layout.ts";
import { migrateLayout } from "../../storage/sqlite/layout.ts";
import type { MoneyFate } from "../../values/failure.ts";
import { earlierVersionSends } from "../failures.ts";
import { markMoved, movedTo, unmarkMoved } from "./relocation.ts";
import { keyRowOf, movementOf } from "../movement-row.ts";
import type { MovementWriter } from "../movement-writer.ts";
import { isKeptHash } from "../requests/request-hash.ts";
import { movementColumns, openRow } from "../history/row.ts";
import { spendingOf } from "../spending.ts";
import { SqliteRows } from "./rows.ts";
import { likesVersion, namedVersion, writersVersion } from "./schema.ts";

const pageMaxRows = 500;
/** The version that looks orders up by what they have in common. */
const keysVersion = 2;

/**
 * Brings a journal of an earlier version to this one, with all of its orders, in one transaction. A run of that version
 * can write nothing more: none may have an order under way.
 * @throws {DamageError} for an order that isn't as it was written
 * @throws {Failure} unavailable
 */
export function migrateJournal(
  database: Database,
  layout: DatabaseLayout,
  writerOf: (rows: SqliteRows) => MovementWriter,
  money: MoneyFate,
): void {
  const target = movedTo(database);
  let isUnnamed = false;
  const fill = (version: number) => {
    if (version === keysVersion) fillKeys(database);
    if (version === likesVersion) renewLikes(database);
    if (version === namedVersion) isUnnamed = true;
    if (version < layout.migrations.length) return;
    // A moved journal has to stay as it was when its copy was compared with it.
    if (target !== undefined) markMovedAgain(database, target);
    else if (isUnnamed) nameProofs(database, writerOf);
  };
  migrateLayout(database, layout, fill, (before) => {
    if (before < writersVersion) refuseUnderWay(database, writerOf, money);
  });
}

function refuseUnderWay(database: Database, writerOf: (rows: SqliteRows) => MovementWriter, money: MoneyFate): void {
  const writer = writerOf(new SqliteRows(database));
  const open = database.all("SELECT * FROM movements WHERE settled_at IS NULL AND state IN ('prepared', 'sending')");
  const sending = open.map((record) => openRow(movementColumns, record)).find((row) => !writer.isAbandoned(row));
  if (sending !== undefined) throw earlierVersionSends(sending.reference, money);
}

function fillKeys(database: Database): void {
  const rows = new SqliteRows(database);
  const sql = `SELECT * FROM movements WHERE number > :after ORDER BY number LIMIT ${pageMaxRows}`;
  for (let after = 0; ;) {
    const page = database.all(sql, { after }).map((record) => openRow(movementColumns, record));
    for (const row of page) {
      rows.changeKeys(row.number, keyRowOf(row));
      const spending = spendingOf(movementOf(row, false));
      if (spending !== undefined) rows.addSpending(spending);
    }
    after = page.at(-1)?.number ?? after;
    if (page.length < pageMaxRows) return;
  }
}

/** Renews the keys by which orders are alike. A redacted order keeps its key: what it was made from is gone. */
function renewLikes(database: Database): void {
  const sql = `SELECT * FROM movements WHERE number > :after ORDER BY number LIMIT ${pageMaxRows}`;
  const put = "UPDATE order_keys SET like_key = :like WHERE movement = :movement AND like_key <> :like";
  for (let after = 0; ;) {
    const page = database.all(sql, { after }).map((record) => openRow(movementColumns, record));
    for (const row of page)
      if (!isKeptHash(row.request_hash)) database.run(put, { movement: row.number, like: keyRowOf(row).like });
    after = page.at(-1)?.number ?? after;
    if (page.length < pageMaxRows) return;
  }
}

/** Adds a line of history to each order that rows prove. */
function nameProofs(database: Database, writerOf: (rows: SqliteRows) => MovementWriter): void {
  const rows = new SqliteRows(database);
  const writer = writerOf(rows);
  const sql = `SELECT * FROM movements WHERE number > :after AND number IN (SELECT movement FROM proofs)
    ORDER BY number LIMIT ${pageMaxRows}`;
  for (let after = 0; ;) {
    const page = database.all(sql, { after }).map((record) => openRow(movementColumns, record));
    for (const row of page) writer.nameProofs(row, rows.proofs(row.number));
    after = page.at(-1)?.number ?? after;
    if (page.length < pageMaxRows) return;
  }
}

/** Marks a moved journal again: its triggers go with a table that is rebuilt. */
function markMovedAgain(database: Database, target: string): void {
  const at = Number(database.value("SELECT at FROM moved"));
  unmarkMoved(database);
  markMoved(database, target, at);
}
