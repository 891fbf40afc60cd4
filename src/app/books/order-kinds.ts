import type { OrderKinds } from "../../books/kinds.ts";
import { answerIds } from "../../evidence/answer-ids.ts";
import type { MovementKind } from "../../journal/movement.ts";
import type { Session } from "../session.ts";

/** The kinds of the account's orders, by each id that a row can have of them. */
export async function orderKinds(session: Session): Promise<OrderKinds> {
  const journal = await session.journal("read");
  const kinds = new Map<string, MovementKind>();
  for await (const movement of journal.list({ scope: await session.accountScope() }))
    for (const id of [movement.reference, ...answerIds(movement)]) kinds.set(id, movement.kind);
  return kinds;
}
