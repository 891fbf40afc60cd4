import type { WiredHost } from "../host/host.ts";
import { createTransport } from "../host/http/http-transport.ts";
import type { Transport } from "../host/http/transport.ts";
import type { Session } from "./session.ts";

/** The transport itself, newly made or passed off as one. */
export async function wires(session: Session, host: WiredHost): Promise<Transport[]> {
  return [await createTransport({}, session.host.environment), await host.transport({})];
}
