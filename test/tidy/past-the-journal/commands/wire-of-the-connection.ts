import type { Session } from "../app/session.ts";
import { Connection } from "../client/connection.ts";

/** The wire taken out of the connection. */
export async function wireOf(session: Session): Promise<unknown> {
  return Connection.transportOf(await session.connection());
}
