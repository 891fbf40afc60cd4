import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { sendBroken, sendInterim } from "../http/broken-answer.ts";
import type { RequestHandler, IncomingRequest, Listening, ListenOptions, OutgoingResponse } from "./listener.ts";
import { BodyTooLarge, NoBodyRoom } from "./listener.ts";
import { BodyRoom, RequestBody } from "../http/request-body.ts";

/** How often Node checks for connections whose time is up; its default is 30 s. */
const connectionsCheckMs = 1000;
const defaultGraceMs = 2000;

/**
 * Serves HTTP on this machine until it is closed. Nothing that a peer sends ends the process.
 * @throws {Error} with Node's `code`: EADDRINUSE, EACCES, EADDRNOTAVAIL (an address of another machine) …
 */
export async function listen(options: ListenOptions, answer: RequestHandler): Promise<Listening> {
  const room = new BodyRoom(options.bodiesMaxBytes ?? Infinity);
  const server = createServer(options, (request, response) => void respond(request, response, room, answer));
  const address = await bind(server, options);
  let closed: Promise<void> | undefined;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    host: address.address,
    port: address.port,
    origin: `${options.tls === undefined ? "http" : "https"}://${name}:${address.port}`,
    close: (graceMs = defaultGraceMs) => (closed ??= closeServer(server, graceMs)),
  };
}

/** `import … from "node:http"` would load the whole of the built-in undici as well. */
function createServer(options: ListenOptions, listener: RequestListener): Server {
  const settings = {
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    connectionsCheckingInterval: connectionsCheckMs,
    insecureHTTPParser: false,
  };
  if (options.tls === undefined) return process.getBuiltinModule("node:http").createServer(settings, listener);
  const { certificate: cert, key } = options.tls;
  const https = process.getBuiltinModule("node:https");
  return https.createServer({ ...settings, cert, key, handshakeTimeout: options.headersTimeoutMs }, listener);
}

function bind(server: Server, options: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off("error", reject);
      // Later errors, such as no file descriptor for a connection, are temporary: the server continues.
      server.on("error", () => undefined);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("The server has no address"));
      else resolve(address);
    });
  });
}

/** A failing answer becomes a 500 without details: they are not for the peer. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  room: BodyRoom,
  answer: RequestHandler,
): Promise<void> {
  const body = new RequestBody(request, room);
  request.on("error", ignore);
  response.on("error", ignore);
  try {
    const outgoing = await answer(new NodeRequest(request, body));
    drainRequest(request);
    await send(response, outgoing);
  } catch (error) {
    drainRequest(request);
    if (response.headersSent || response.destroyed) response.destroy();
    else await send(response, { status: statusOf(error) });
  } finally {
    body.release();
  }
}

function statusOf(error: unknown): number {
  if (error instanceof NoBodyRoom) return 503;
  return error instanceof BodyTooLarge ? 413 : 500;
}

/** A peer that is still sending reads the answer only after the rest of its body is read. */
function drainRequest(request: IncomingMessage): void {
  if (!request.readableEnded) request.resume();
}

/** A class: creating an object literal with a getter takes longer than all of its fields. */
class NodeRequest implements IncomingRequest {
  readonly method: string;
  readonly target: string;
  readonly #request: IncomingMessage;
  readonly #body: RequestBody;

  constructor(request: IncomingMessage, body: RequestBody) {
    this.method = request.method ?? "";
    this.target = pathOnly(request.url ?? "");
    this.#request = request;
    this.#body = body;
  }

  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.#request.rawHeaders);
  }

  body(maxBytes: number): Promise<Uint8Array> {
    return this.#body.read(maxBytes);
  }
}

/** Some proxies pass on the whole address, which a server has to take (RFC 9112, 3.2.2). */
function pathOnly(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, "/");
}

/**
 * `raw` has names and values alternately. Node's own header objects drop some repeated headers, or are slow to create.
 */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    const value = raw[index + 1] ?? "";
    const earlier = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  return headers;
}

function ignore(): void {}

async function send(response: ServerResponse, outgoing: OutgoingResponse): Promise<void> {
  sendInterim(response, outgoing.interim);
  if (outgoing.breaksOff !== undefined) return sendBroken(response, outgoing, outgoing.breaksOff);
  const { status, headers, body } = outgoing;
  if (typeof body === "string" || body instanceof Uint8Array) {
    const length = Buffer.byteLength(body);
    // Text of one byte per character is sent together with the head, without being encoded.
    const encoding = length === body.length ? "latin1" : "utf8";
    response.writeHead(status, { ...headers, "content-length": length }).end(body, encoding);
    return;
  }
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.statusCode = status;
  if (body === undefined) response.end();
  else await pipeline(body, response);
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that has just answered stays open for the next request unless it is closed as idle.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
