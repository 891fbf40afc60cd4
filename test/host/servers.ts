import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { createSecureServer } from "node:http2";
import type { Server, Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import type { Transport, WireRequest } from "../../src/host/http/transport.ts";
import { createTransport } from "../../src/host/http/http-transport.ts";

/** A certificate of the fixtures; all of them share one key, for tests only. */
export type CertificateName = "localhost" | "elsewhere" | "expired";

export function certificate(name: CertificateName): string {
  return readFileSync(join(import.meta.dirname, "fixtures", `${name}-certificate.pem`), "utf8");
}

export function privateKey(): string {
  return readFileSync(join(import.meta.dirname, "fixtures", "test-only-key.pem"), "utf8");
}

/** A server of bare sockets on a free port of this machine, gone when the test is over. */
export async function serveSockets(
  onSocket: (socket: Socket) => void,
  port = 0,
  onEnd: OnEnd = onTestFinished,
): Promise<number> {
  return start(
    createServer((socket) => onSocket(watch(socket))),
    port,
    onEnd,
  );
}

type OnEnd = (stop: () => void) => void;

export async function serveTls(name: CertificateName, onSocket: (socket: Socket) => void): Promise<number> {
  const server = createTlsServer({ cert: certificate(name), key: privateKey() }, (socket) => onSocket(watch(socket)));
  server.on("tlsClientError", () => undefined);
  return start(server);
}

/**
 * A service that would speak HTTP/2, too, and refuses every stream of it: a client of HTTP/2 may then send
 * it again. `streams` has the requests that came that way.
 */
export async function serveRefusingHttp2(
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<{ readonly url: string; readonly streams: readonly string[] }> {
  const streams: string[] = [];
  const server = createSecureServer({ cert: certificate("localhost"), key: privateKey(), allowHTTP1: true });
  server.on("stream", (stream, headers) => {
    streams.push(String(headers[":path"]));
    // REFUSED_STREAM.
    stream.close(0x7);
  });
  server.on("request", (request, response) => {
    if (request.httpVersion !== "2.0") answer(request, response);
  });
  return { url: `https://localhost:${await start(server)}`, streams };
}

/**
 * @param onEnd of the test's own context when tests run at the same time: the global one doesn't know which test is
 * meant
 */
export async function start(server: Server, port = 0, onEnd: OnEnd = onTestFinished): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(watch(socket));
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

/** Many tests are about resets; a reset must not end the test's own process. */
function watch(socket: Socket): Socket {
  return socket.on("error", () => undefined);
}

/** Calls back once a whole request has come, head and body of the given length. */
export function afterRequest(socket: Socket, act: (head: string, body: string) => void): void {
  let text = "";
  const read = (bytes: Buffer) => {
    text += bytes.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (end < 0 || text.length < end + 4 + length) return;
    socket.off("data", read);
    act(text.slice(0, end), Buffer.from(text.slice(end + 4), "latin1").toString());
  };
  socket.on("data", read);
}

/**
 * A proxy that leads every CONNECT to one port of this machine; `seen` gets the heads of the requests, `first` is
 * sent
 * before each answer.
 */
export async function serveProxy(port: number, seen: string[] = [], first = ""): Promise<number> {
  return serveSockets((socket) => {
    afterRequest(socket, (head) => {
      seen.push(head);
      const behind = createConnection(port);
      behind.once("connect", () => {
        socket.write(`${first}HTTP/1.1 200 Connection established\r\n\r\n`);
        socket.pipe(behind).pipe(socket);
      });
    });
  });
}

function createConnection(port: number): Socket {
  return process
    .getBuiltinModule("node:net")
    .connect(port, "127.0.0.1")
    .on("error", () => undefined);
}

const limits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 10_000,
  deadlineMs: 20_000,
  responseMaxBytes: 1_000_000,
};

export interface Sending extends Partial<Omit<WireRequest, "limits">> {
  readonly url: string;
  readonly limits?: Partial<WireRequest["limits"]>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly trusting?: CertificateName;
  readonly transport?: Transport;
}

/** Sends one request and reads the whole answer; a transport of its own unless one is given. */
export async function send(
  sending: Sending,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const extraCertificates = sending.trusting === undefined ? undefined : certificate(sending.trusting);
  const transport = sending.transport ?? (await createTransport({ extraCertificates }, sending.environment ?? {}));
  const response = await transport(requestOf(sending));
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(part);
  return { status: response.status, headers: { ...response.headers }, text: Buffer.concat(parts).toString() };
}

export function requestOf(sending: Sending): WireRequest {
  return {
    method: "GET",
    headers: {},
    signal: new AbortController().signal,
    ...sending,
    limits: { ...limits, ...sending.limits },
  };
}
