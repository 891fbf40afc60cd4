import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import { skipInterim } from "./interim.ts";

/** undici's client: an `HttpClient` that can also open tunnels. */
type UndiciClient = Pick<InstanceType<typeof Client>, "dispatch" | "destroy">;

/**
 * A client of one server, over sockets that `dial` opens. The only place that loads undici, and only the quarter of it
 * that this program needs: its index takes three times as long to load. HTTP/2 is off because undici would resend a
 * POST by itself when the server refuses the stream.
 */
export function openClient(dial: () => Promise<Socket>, origin: string): UndiciClient {
  return new Client(origin, {
    allowH2: false,
    pipelining: 1,
    useMilo: false,
    connect: (_options, callback) => void handOver(dial, callback),
  });
}

async function handOver(dial: () => Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket;
  try {
    socket = await dial();
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null);
    return;
  }
  callback(null, skipInterim(socket));
}
