import { once } from "node:events";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";

/** A way to a port of this machine on which every byte takes so long in each direction. */
export async function slowLine(port: number, oneWayMs: number): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    carry(near, far, oneWayMs);
    carry(far, near, oneWayMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The line has no port");
  return { port: address.port, close: () => void server.close() };
}

function carry(from: Socket, to: Socket, delayMs: number): void {
  from.setNoDelay(true);
  from.on("data", (bytes) => void setTimeout(() => to.write(bytes), delayMs));
  from.on("end", () => void setTimeout(() => to.end(), delayMs));
  from.on("error", () => to.destroy());
}
