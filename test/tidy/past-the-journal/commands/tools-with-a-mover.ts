import { moneyTools } from "../app/money/money-context.ts";
import type { Session } from "../app/session.ts";

/** What it was done by: the tools of the door held what sends. */
export async function send(session: Session): Promise<unknown> {
  const { mover } = await moneyTools(session);
  return mover;
}
