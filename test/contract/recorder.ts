import { createServer } from "node:net";
import type { Socket } from "node:net";

/** A server that answers with bytes typed by hand and keeps the bytes of the requests. */
export interface Recorder {
  readonly origin: string;
  /** Each request as it arrived: head and body, byte for byte. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Answers the n-th request with the n-th text; the last one answers all that follow. */
export async function recorder(...answers: readonly string[]): Promise<Recorder> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      received += chunk.toString("utf8");
      const whole = wholeRequest(received);
      if (whole === undefined) return;
      requests.push(whole);
      received = "";
      socket.end(answers[Math.min(requests.length, answers.length) - 1] ?? "");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The recorder has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function wholeRequest(received: string): string | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
  return Buffer.byteLength(received.slice(end + 4)) >= length ? received : undefined;
}

/** An HTTP answer with the status line, the content type and the body as given. */
export function answer(status: string, body: string, headers = "content-type: application/json\r\n"): string {
  return `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}
