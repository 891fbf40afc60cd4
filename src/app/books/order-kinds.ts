import type { OrderKind, OrderKinds } from "../../books/kinds.ts";
import { answerIds } from "../../evidence/answer-ids.ts";
import type { Session } from "../session.ts";

/** The kinds of the account's orders, by each id that a row can have of them. */
export async function orderKinds(session: Session): Promise<OrderKinds> {
  const journal = await session.journal("read");
  const kinds = new Map<string, OrderKind>();
  for await (const movement of journal.list({ scope: await session.accountScope() })) {
    const ids = [movement.reference, ...answerIds(movement)];
    for (const id of ids) kinds.set(id, { kind: movement.kind, ids });
  }
  return kinds;
}
