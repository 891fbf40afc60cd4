import { OrderKinds } from "../../books/order-kinds.ts";
import type { Session } from "../session.ts";

/** The kinds of the account's orders. */
export async function orderKinds(session: Session): Promise<OrderKinds> {
  const journal = await session.journal("read");
  const kinds = new OrderKinds();
  for await (const movement of journal.list({ scope: await session.accountScope() })) kinds.add(movement);
  return kinds;
}
