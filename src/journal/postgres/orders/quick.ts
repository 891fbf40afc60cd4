import { PostgresError } from "../../../host/databases/postgres.ts";
import type { Statement } from "../../../host/databases/postgres.ts";
import { Failure } from "../../../values/failure.ts";
import type { JournalEnd } from "../../age/marks.ts";
import type { AskedKeys } from "../../lookups/around.ts";
import type { MovementRow } from "../../history/row.ts";
import { databaseSql, timelineFor } from "../journal-view.ts";
import type { ServedBy } from "../../age/exchanged.ts";

/**
 * The SQLSTATE of a wrong assumption. Assumptions are checked in the round trip that writes: a wrong one makes the
 * server divide by zero, so that nothing is written. The same is then done again, asking first.
 */
const wrongAssumptionState = "22012";

/** Thrown where nothing can be assumed. */
export class NotQuick extends Error {
  override readonly name = "NotQuick";
}

/** True where an assumption was wrong; nothing was written then. */
export function isWrongAssumption(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error;
  return error instanceof NotQuick || (cause instanceof PostgresError && cause.code === wrongAssumptionState);
}

const serverStandsSql = (known: number | undefined) =>
  `SELECT 1 / CASE WHEN ${databaseSql} IS NOT DISTINCT FROM $1::text AND ${timelineFor(known)} IS NOT DISTINCT FROM $2::int
    THEN 1 ELSE 0 END AS stands`;
const eventStandsSql = "SELECT 1 / count(*) AS stands FROM partner.events WHERE number = $1 AND seal = $2";

/** Assumes that the journal is in the database and on the timeline that was opened, and that its last event is unchanged. */
export function assumeMark(
  { number, seal }: Pick<JournalEnd, "number" | "seal">,
  { database, timeline }: ServedBy,
): Statement[] {
  const onServer: Statement = { text: serverStandsSql(timeline), values: [database ?? null, timeline ?? null] };
  return seal === "" ? [onServer] : [onServer, { text: eventStandsSql, values: [number, seal] }];
}

/** Assumes that a movement is as it was last written, and locks it. */
export function assumeSame({ number, seal }: MovementRow & { readonly seal: string }): Statement {
  const text = `SELECT 1 / count(*) AS stands FROM (
    SELECT FROM partner.movements WHERE number = $1 AND seal = $2 FOR UPDATE) AS same`;
  return { text, values: [number, seal] };
}

const isUsed = "k.standing IN ('done', 'open')";
const nothingSql = `SELECT 1 / CASE WHEN
    EXISTS (SELECT FROM partner.movements m WHERE m.reference = $1 AND m.kind = $2)
    OR EXISTS (SELECT FROM partner.order_keys k WHERE k.near_key = $3 AND ${isUsed})
    OR EXISTS (SELECT FROM partner.order_keys k WHERE k.like_key = ANY ($4::text[]) AND ${isUsed}
      AND k.batch IS DISTINCT FROM $5::text)
    OR EXISTS (SELECT FROM partner.seen s WHERE s.near_form = $6)
    OR (SELECT count(*) FROM partner.accounts) <> $7::bigint
  THEN 0 ELSE 1 END AS stands`;

/** Assumes that there is nothing under the key of an order or around it, and no account beyond the known ones. */
export function assumeNothing(
  { reference, kind, near, likes, form }: AskedKeys,
  batch: string | undefined,
  accounts: number,
): Statement {
  return { text: nothingSql, values: [reference, kind, near, [...likes], batch ?? null, form, accounts] };
}
