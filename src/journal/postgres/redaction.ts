import type { PostgresRecord, Statement } from "../../host/databases/postgres.ts";
import type { StoredOrder } from "../redaction/redacted-order.ts";
import { isArchivedEvent, openEvent, textIn } from "../row.ts";
import { byIdSql } from "./lookups.ts";
import { movementIn } from "./rows.ts";

const ofOrder = "SELECT number FROM partner.movements WHERE id = $1";
const eventsSql = `SELECT * FROM partner.events WHERE movement = (${ofOrder}) ORDER BY number`;
const proofsSql = `SELECT row_key, "row" FROM partner.proofs WHERE movement = (${ofOrder})`;
/** How many statements ask for an order. */
export const storedCount = 3;

/** What asks for all there is of an order, and keeps it from others. */
export function storedStatements(id: string): readonly Statement[] {
  return [`${byIdSql} FOR UPDATE`, eventsSql, proofsSql].map((text) => ({ text, values: [id] }));
}

/** The same out of the answers; undefined where there is no such order. */
export function storedIn(answers: readonly (readonly PostgresRecord[])[]): StoredOrder | undefined {
  const [rows = [], events = [], proofs = []] = answers;
  const row = movementIn(rows[0]);
  if (row === undefined) return undefined;
  return {
    row,
    events: events.map((event) => openEvent(event)).flatMap((event) => (isArchivedEvent(event) ? [] : [event])),
    proofs: proofs.map((proof) => ({ key: textIn(proof, "row_key"), row: textIn(proof, "row") })),
  };
}
