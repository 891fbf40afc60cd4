import { DamageError } from "../../storage/failures.ts";
import type { ArchivedEvent, EventRow } from "../history/row.ts";
import { archiveDigest, isArchivedEvent, openEvent } from "../history/row.ts";
import { archivedOwner } from "./tombstone.ts";

/** Orders that have lines in an archive, a page at a time; `parameter` is the number that they come after. */
export function archivedPageSql(schema: "" | "partner.", parameter: string): string {
  return `SELECT DISTINCT movement FROM ${schema}events WHERE archived IS NOT NULL AND movement > ${parameter}
    ORDER BY movement LIMIT 500`;
}

/** An order that was reduced, although no step says that it was archived. */
export function emptiedSql(schema: "" | "partner."): string {
  return `SELECT reference FROM ${schema}movements m WHERE owner = '${archivedOwner}' AND NOT EXISTS (
    SELECT 1 FROM ${schema}events e WHERE e.movement = m.number AND e.step = 'archive' AND e.archived IS NULL) LIMIT 1`;
}

/**
 * Checks that what is left of archived lines matches the digest in their order's archive step.
 * @param records all lines of some orders, each order's in their order
 * @throws {DamageError}
 */
export function checkArchived(records: readonly unknown[]): void {
  const lines = records.map((record) => openEvent(record));
  for (const [movement, own] of Map.groupBy(lines, (line) => line.movement)) {
    const archived = own.filter((line): line is ArchivedEvent => isArchivedEvent(line));
    const last = own.findLast((line): line is EventRow => !isArchivedEvent(line) && line.step === "archive");
    if (digestIn(last?.replaced) !== archiveDigest(archived))
      throw new DamageError(`row ${movement} of its movements has other lines in an archive than were put there`);
  }
}

function digestIn(replaced: string | null | undefined): unknown {
  const value: unknown = JSON.parse(replaced ?? "null");
  return typeof value === "object" && value !== null ? Reflect.get(value, "digest") : undefined;
}
