import type { Socket } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { answer } from "../contract/recorder.ts";
import { afterRequest, certificate, privateKey, serveSockets } from "../host/servers.ts";
import { accept } from "./service.ts";
import type { MoneyRequest } from "./teller.ts";

const fixture = join(import.meta.dirname, "..", "host", "fixtures", "localhost-certificate.pem");

/**
 * A service behind TLS that closes the first connections, one for each read, and never answers the greeting
 * of the next one, until it is healed.
 */
export async function silentTls(readsBefore: number) {
  const requests: MoneyRequest[] = [];
  const { promise: dialled, resolve } = Promise.withResolvers<void>();
  const secure = createServer({ cert: certificate("localhost"), key: privateKey() }, (socket) => {
    afterRequest(socket, (head, body) => {
      const path = /^POST (\S+) /.exec(head)?.[1];
      if (path === undefined) return socket.end(answer("200 OK", "[]"));
      requests.push({ path, body, head });
      return accept(socket, { path, body, head });
    });
  });
  let connections = 0;
  let isWell = false;
  const port = await serveSockets((socket: Socket) => {
    connections += 1;
    if (isWell) secure.emit("connection", socket);
    else if (connections <= readsBefore) socket.destroy();
    else socket.once("data", () => resolve());
  });
  const heal = () => {
    isWell = true;
  };
  return { origin: `https://localhost:${port}`, flags: `--ca-cert ${fixture}`, requests, dialled, heal };
}
