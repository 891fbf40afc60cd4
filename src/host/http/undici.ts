import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import { skipInterim } from "./interim.ts";

/** What a tunnel needs of undici's client. */
type TunnelClient = Pick<InstanceType<typeof Client>, "dispatch" | "destroy">;

/**
 * A client that asks a proxy for tunnels, over sockets that `dial` opens. The only place that loads undici, and only its
 * client: all of it takes three times as long to load. HTTP/2 is off, as everywhere.
 */
export function openTunnelClient(dial: () => Promise<Socket>, origin: string): TunnelClient {
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
