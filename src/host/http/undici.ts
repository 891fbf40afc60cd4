import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import { passOverInterim } from "./interim.ts";

/** undici's client; it is an `HttpClient`, and makes tunnels besides. */
type UndiciClient = Pick<InstanceType<typeof Client>, "dispatch" | "destroy">;

/**
 * A client of one server, over sockets that `dial` opens. The only place that uses undici, and only the quarter of it
 * that this program needs: its index takes three times as long to load.
 * HTTP/2 is off because undici would send a POST again by itself when the server refuses the stream.
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
  callback(null, passOverInterim(socket));
}
