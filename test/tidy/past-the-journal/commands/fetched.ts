import { request } from "node:https";
import type { Session } from "../app/session.ts";
import { transfer } from "../contract/wallets.ts";

/** Without any wire of ours. */
export async function send(session: Session): Promise<void> {
  const { service } = await session.connection();
  const url = service.address("A", transfer.path);
  await fetch(url, { method: "POST" });
  request(url, { method: "POST" }).end();
}
