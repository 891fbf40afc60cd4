import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

/** A receiver of webhooks as a partner would write one: it keeps what arrives and gives the answers of the test. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

export interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** @param statusOf the status of the n-th answer, 0 for the first; `undefined` cuts the connection instead */
export async function receiver(statusOf: (index: number, request: Received) => number | undefined): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const { method, headers } = request;
      const one = { method, headers, body: Buffer.concat(parts).toString() };
      const status = statusOf(received.push(one) - 1, one);
      if (status === undefined) request.socket.destroy();
      else response.writeHead(status, { "content-type": "application/json" }).end('{"message":"ok"}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/webhook`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
