import type { Statement } from "../../host/databases/postgres.ts";
import type { Transaction } from "../../storage/postgres/database.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import { archivedOwner, isArchived } from "../archive/tombstone.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { ArchivedEvent } from "../history/row.ts";
import { archiveDigest, isArchivedEvent, openEvent, textColumn } from "../history/row.ts";
import { rowsIn } from "./around.ts";

const pageMaxRows = 500;
export const archivableMaxRows = 100;
export const archivableSql = `SELECT * FROM partner.movements m WHERE number > $1 AND settled_at IS NOT NULL
    AND owner <> '${archivedOwner}'
    AND NOT EXISTS (SELECT FROM partner.events e WHERE e.movement = m.number AND e.at >= $2 AND e.step NOT IN ('redact', 'prove'))
  ORDER BY number LIMIT ${archivableMaxRows}`;
export const hasArchivedSql = "SELECT EXISTS (SELECT FROM partner.events WHERE archived IS NOT NULL) AS is_there";
const ordersSql = "SELECT * FROM partner.movements WHERE id = ANY ($1::text[]) ORDER BY number FOR UPDATE";
const linesSql = `SELECT e.* FROM partner.events e JOIN partner.movements m ON m.number = e.movement
  WHERE m.id = ANY ($1::text[]) ORDER BY e.number`;
const proofsSql = `SELECT p.movement, p.row_key FROM partner.proofs p JOIN partner.movements m ON m.number = p.movement
  WHERE m.id = ANY ($1::text[])`;
const leaveHashes = `UPDATE partner.events e SET archived = left_over.hash, request_id = NULL, evidence = NULL, note = NULL,
    replaced = NULL, who = '' FROM unnest($1::bigint[], $2::text[]) AS left_over (number, hash)
  WHERE e.number = left_over.number`;
const leaveProofs = `UPDATE partner.proofs SET "row" = '{}' WHERE movement = ANY ($1::bigint[]) AND "row" <> '{}'`;

/**
 * Archives orders within a transaction; the caller has the writer's changes written after it. @returns how many are
 * archived
 */
export async function archiveShared(
  transaction: Transaction,
  writer: MovementWriter,
  orders: readonly ArchivedOrder[],
  file: ArchiveFile,
): Promise<number> {
  let count = 0;
  for (let start = 0; start < orders.length; start += pageMaxRows) {
    const page = new Map(orders.slice(start, start + pageMaxRows).map(({ id, hashes }) => [id, hashes]));
    const ids = { values: [[...page.keys()]] };
    const asked = [ordersSql, linesSql, proofsSql].map((text): Statement => ({ text, ...ids }));
    const [found = [], records = [], proving = []] = await transaction.run(...asked);
    const lines = Map.groupBy(
      records.map((record) => openEvent(record)),
      ({ movement }) => movement,
    );
    const hashed = new Map<number, string>();
    const emptied: string[] = [];
    for (const row of rowsIn(found)) {
      const own = lines.get(row.number) ?? [];
      const live = own.filter((line) => !isArchivedEvent(line));
      const hashes = page.get(row.id) ?? [];
      if (row.settled_at === null || isArchived(row) || live.length !== hashes.length) continue;
      for (const [index, { number }] of live.entries()) hashed.set(number, hashes[index] ?? "");
      const archived = own.map((line): ArchivedEvent =>
        isArchivedEvent(line) ? line : leftOf(line, hashed.get(line.number) ?? ""),
      );
      const proofs = proving
        .filter(({ movement }) => movement === row.number)
        .map((proof) => textColumn(proof, "row_key"));
      writer.archive(row, file, archiveDigest(archived), proofs);
      emptied.push(String(row.number));
      count += 1;
    }
    const statements: Statement[] = [
      { text: leaveHashes, values: [[...hashed.keys()].map(String), [...hashed.values()]] },
      { text: leaveProofs, values: [emptied] },
    ];
    if (emptied.length > 0) await transaction.run(...statements);
  }
  return count;
}

function leftOf(line: Omit<ArchivedEvent, "archived" | "seal">, archived: string): ArchivedEvent {
  return { ...line, seal: String(Reflect.get(line, "seal")), archived };
}
