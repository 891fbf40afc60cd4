import type { Connection } from "../client/connection.ts";
import type { SendOptions } from "../client/mover.ts";
import { Mover } from "../client/mover.ts";
import type { Claim } from "../journal/journal.ts";

/** Even where a mover may be made, it cannot be made to send something else, or to record nothing. */
export async function send(connection: Connection, claim: Claim, options: SendOptions): Promise<void> {
  const mover = new Mover(connection, 1000);
  await mover.send(claim, { ...options, body: `{"amount":1000000}` });
  await mover.send(claim, { ...options, onSending: () => undefined });
  await mover.send(undefined, options);
}
