import type { Database } from "../../storage/sqlite/database.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import { archivedOwner, isArchived } from "../archive/tombstone.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { Movement } from "../movement.ts";
import type { ArchivedEvent } from "../history/row.ts";
import { archiveDigest, isArchivedEvent, movementColumns, openRow } from "../history/row.ts";
import type { SqliteRows } from "./rows.ts";

const pageMaxRows = 100;
const pageSql = `SELECT * FROM movements m WHERE number > :after AND settled_at IS NOT NULL
    AND owner <> '${archivedOwner}'
    AND NOT EXISTS (SELECT 1 FROM events e WHERE e.movement = m.number AND e.at >= :before AND e.step NOT IN ('redact', 'prove'))
  ORDER BY number LIMIT ${pageMaxRows}`;
const leaveHash = `UPDATE events SET archived = :hash, request_id = NULL, evidence = NULL, note = NULL, replaced = NULL, who = ''
  WHERE number = :number`;
/** Orders that can be archived, read in pages, so that others can write in between. */
export function* archivableIn(
  database: Database,
  writer: Pick<MovementWriter, "show">,
  before: number,
): Generator<Movement> {
  for (let after = 0; ;) {
    const page = database.all(pageSql, { after, before });
    const rows = database.attempt(() => page.map((record) => openRow(movementColumns, record)));
    for (const row of rows) yield writer.show(row);
    after = rows.at(-1)?.number ?? after;
    if (rows.length < pageMaxRows) return;
  }
}

/** To be called within a transaction. @returns how many were archived */
export function archiveIn(
  database: Database,
  rows: SqliteRows,
  writer: MovementWriter,
  orders: readonly ArchivedOrder[],
  file: ArchiveFile,
): number {
  let count = 0;
  for (const { id, hashes } of orders) {
    const row = rows.byId(id);
    if (row === undefined || row.settled_at === null || isArchived(row)) continue;
    const lines = rows.lines(row.number);
    const live = lines.filter((line) => !isArchivedEvent(line));
    if (live.length !== hashes.length) continue;
    const left = new Map(live.map(({ number }, index) => [number, hashes[index] ?? ""]));
    for (const [number, hash] of left) database.run(leaveHash, { number, hash });
    database.run("UPDATE proofs SET row = '{}' WHERE movement = :movement", { movement: row.number });
    const archived = rows.lines(row.number).filter((line): line is ArchivedEvent => isArchivedEvent(line));
    const proofs = rows.proofs(row.number).map(({ key }) => key);
    writer.archive(row, file, archiveDigest(archived), proofs);
    count += 1;
  }
  return count;
}

/** False for a journal of an earlier version that can only be read. */
export function hasArchive(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema WHERE name = 'events_archived'") !== undefined;
}

/** True where lines of history are in an archive. */
export function hasArchived(database: Database): boolean {
  return hasArchive(database) && database.get("SELECT 1 FROM events WHERE archived IS NOT NULL LIMIT 1") !== undefined;
}
