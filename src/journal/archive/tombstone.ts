import { encodeJson } from "../../contract/wire.ts";
import { responseOf } from "../requests/movement-request.ts";
import type { MovementRow } from "../history/row.ts";

/** The owner of an archived order, in place of a process. */
export const archivedOwner = "archived";
/** Members of an answer with ids in statements, and those that it repeats from the request. */
const keptNames: ReadonlySet<string> = new Set([
  "transactionId",
  "transactionRef",
  "paymentRef",
  "paymentReference",
  "from",
  "to",
  "accountNo",
  "msisdn",
  "externalRef",
  "partnerReference",
  "amount",
  "narration",
]);

/** True for an order whose history and answer are in an archive. */
export function isArchived({ owner }: Pick<MovementRow, "owner">): boolean {
  return owner === archivedOwner;
}

/**
 * What is left of an order in the journal: all that a repeated reference, an order like it and a row of a statement are
 * compared with. Of the answer, its ids and what it repeats of the request.
 */
export function tombstoneOf(row: MovementRow): MovementRow {
  const answer = responseOf(row);
  const kept = Object.entries(answer).filter(([name]) => keptNames.has(name));
  return { ...row, owner: archivedOwner, response: kept.length === 0 ? null : encodeJson(Object.fromEntries(kept)) };
}
