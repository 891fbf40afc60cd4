import type { PostgresRecord, Statement } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { nearForm } from "../lookups/order-keys.ts";
import type { SeenCover } from "../redaction/redacting.ts";
import type { StoredOrder } from "../redaction/redacted-order.ts";
import { isArchivedEvent, openEvent, textColumn } from "../history/row.ts";
import { byIdSql } from "./lookups.ts";
import { requireOwner } from "./roles/owner.ts";
import { movementIn } from "./rows.ts";

const ofOrder = "SELECT number FROM partner.movements WHERE id = $1";
const eventsSql = `SELECT * FROM partner.events WHERE movement = (${ofOrder}) ORDER BY number`;
const proofsSql = `SELECT row_key, "row" FROM partner.proofs WHERE movement = (${ofOrder})`;
/** How many statements read an order. */
export const storedCount = 3;

/** Statements that read all there is of an order, and lock it. */
export function storedStatements(id: string): readonly Statement[] {
  return [`${byIdSql} FOR UPDATE`, eventsSql, proofsSql].map((text) => ({ text, values: [id] }));
}

/** The order in their answers; undefined where there is no such order. */
export function storedIn(answers: readonly (readonly PostgresRecord[])[]): StoredOrder | undefined {
  const [rows = [], events = [], proofs = []] = answers;
  const row = movementIn(rows[0]);
  if (row === undefined) return undefined;
  return {
    row,
    events: events.map((event) => openEvent(event)).flatMap((event) => (isArchivedEvent(event) ? [] : [event])),
    proofs: proofs.map((proof) => ({ key: textColumn(proof, "row_key"), row: textColumn(proof, "row") })),
  };
}

const pageMaxRows = 500;
const seenSql = `SELECT row_key, reference, "row" FROM partner.seen WHERE (row_key, reference) > ($1, $2)
  ORDER BY row_key, reference LIMIT ${pageMaxRows}`;
const changeSeenSql = `UPDATE partner.seen SET "row" = $3, reference = $4, near_form = $5
  WHERE row_key = $1 AND reference = $2`;

/**
 * Redacts rows that were seen, a page in each transaction: after an interruption the next run goes on. They are
 * redacted before everything else.
 * @throws {Failure} setup where the role does not own the journal
 */
export async function redactSeen(database: SharedDatabase, without: SeenCover, isLook: boolean): Promise<number> {
  await requireOwner(database, "redacts");
  let count = 0;
  for (let after: readonly string[] = ["", ""]; ;) {
    const page = await database.read(seenSql, after);
    const changes = page.flatMap((seen): Statement[] => {
      const former = textColumn(seen, "reference");
      const covered = without({ reference: former, row: textColumn(seen, "row") });
      if (covered === undefined) return [];
      const { reference, row } = covered;
      return [
        { text: changeSeenSql, values: [textColumn(seen, "row_key"), former, row, reference, nearForm(reference)] },
      ];
    });
    if (!isLook && changes.length > 0)
      await database.write(async (transaction) => void (await transaction.run(...changes)));
    count += changes.length;
    const last = page.at(-1);
    if (last === undefined) return count;
    after = [textColumn(last, "row_key"), textColumn(last, "reference")];
  }
}
