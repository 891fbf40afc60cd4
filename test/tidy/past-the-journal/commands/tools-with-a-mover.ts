import { moneyTools } from "../app/money/money-context.ts";
import type { Session } from "../app/session.ts";

/** A way that once worked: the tools of the door contained the mover. */
export async function send(session: Session): Promise<unknown> {
  const { mover } = await moneyTools(session);
  return mover;
}
