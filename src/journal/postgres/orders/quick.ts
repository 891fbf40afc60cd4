import { PostgresError } from "../../../host/databases/postgres.ts";
import type { Statement } from "../../../host/databases/postgres.ts";
import { Failure } from "../../../values/failure.ts";
import type { JournalEnd } from "../../age/marks.ts";
import type { AskedKeys } from "../../lookups/around.ts";
import type { MovementRow } from "../../history/row.ts";

/**
 * What is supposed and made sure of in the round trip that writes: where it is otherwise, the server divides by zero,
 * nothing is written, and the same is done with questions first.
 */
const otherwiseState = "22012";

/** Nothing can be supposed. */
export class NotQuick extends Error {
  override readonly name = "NotQuick";
}

/** True where something was otherwise than supposed; nothing was written then. */
export function isOtherwise(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error;
  return error instanceof NotQuick || (cause instanceof PostgresError && cause.code === otherwiseState);
}

/** The last known event is unchanged. */
export function supposeMark({ number, seal }: Pick<JournalEnd, "number" | "seal">): Statement[] {
  if (seal === "") return [];
  const text = "SELECT 1 / count(*) AS stands FROM partner.events WHERE number = $1 AND seal = $2";
  return [{ text, values: [number, seal] }];
}

/** A movement is as it was written last; it is kept from others from then on. */
export function supposeSame({ number, seal }: MovementRow & { readonly seal: string }): Statement {
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

/** Nothing stands under the key of an order or around it, and there are as many accounts as are known. */
export function supposeNothing(
  { reference, kind, near, likes, form }: AskedKeys,
  batch: string | undefined,
  accounts: number,
): Statement {
  return { text: nothingSql, values: [reference, kind, near, [...likes], batch ?? null, form, accounts] };
}
