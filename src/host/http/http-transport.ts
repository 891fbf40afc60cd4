import { dial, dialThrough } from "./connect.ts";
import type { ConnectionTarget } from "./endpoint.ts";
import { destinationOf, parseAddress } from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import type { HttpClient, HttpRequest } from "./http-client.ts";
import { openClient } from "./node-client.ts";
import type { Proxy } from "./proxy.ts";
import { proxyFor } from "./proxy.ts";
import type { Transport, TransportSettings, WireRequest } from "./transport.ts";
import { UnsendableHeader, WireError } from "./transport.ts";
import { Trust } from "./trust/trust.ts";

/** Encodings that `readAnswer` decodes and that are worth the time. */
const acceptedEncodings = "gzip, br";

/** A client, and the exchange that it connects for: one at a time. */
interface Connection {
  readonly client: HttpClient;
  exchange: Exchange;
}

/**
 * A transport over HTTP/1.1 only, without redirects and retries.
 * @throws {Error} where `extraCertificates` are invalid
 */
export async function createTransport(
  settings: TransportSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Transport> {
  const trust = await Trust.of(settings.extraCertificates, environment);
  const idle = new Map<string, Connection[]>();
  return async (request) => {
    if (request.signal.aborted) throw new WireError("aborted", "Interrupted", { sent: false });
    const url = parseAddress(request.url);
    checkHeaders(request.headers);
    const target = destinationOf(url);
    const proxy = proxyFor(target, environment);
    const exchange = new Exchange(request, target);
    const kept = request.freshConnection === true ? undefined : idleAt(idle, url.origin).pop();
    const connection = kept ?? connectionTo(target, proxy, trust, exchange);
    connection.exchange = exchange;
    connection.client.dispatch(dispatchOptions(request, url, proxy), exchange);
    void retire(connection, request.freshConnection === true ? undefined : idleAt(idle, url.origin));
    return exchange.response;
  };
}

/** Opens a connection. Each running exchange has its own: none waits behind another. */
function connectionTo(
  target: ConnectionTarget,
  proxy: Proxy | undefined,
  trust: Trust,
  exchange: Exchange,
): Connection {
  const tunnel = proxy !== undefined && target.secure;
  const first = proxy === undefined || tunnel ? target : proxy.endpoint;
  const client = openClient(() => {
    const { signal } = connection.exchange.stopped;
    return tunnel ? dialThrough(proxy, target, { trust, signal }) : dial(first, { trust, signal });
  });
  const connection: Connection = { client, exchange };
  return connection;
}

/** Plain http is sent to a proxy with the whole URL, which every proxy understands; https goes through a tunnel. */
function dispatchOptions(request: WireRequest, url: URL, proxy: Proxy | undefined): HttpRequest {
  const forward = proxy !== undefined && url.protocol === "http:";
  const fresh = request.freshConnection === true;
  return {
    method: request.method,
    path: forward ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      // Money requests are kept as plain as possible.
      ...(fresh ? {} : { "accept-encoding": acceptedEncodings }),
      ...request.headers,
      ...(forward ? proxy.headers : {}),
    },
    body: request.body ?? null,
    ...(fresh ? { reset: true } : {}),
    headersTimeout: request.limits.headersTimeoutMs,
    bodyTimeout: request.limits.bodyTimeoutMs,
  };
}

/** Keeps the connection for the next exchange when this one is over, or closes it. */
async function retire(connection: Connection, idle: Connection[] | undefined): Promise<void> {
  const reusable = await connection.exchange.finished;
  if (reusable && idle !== undefined) idle.push(connection);
  else await connection.client.destroy();
}

function idleAt(idle: Map<string, Connection[]>, origin: string): Connection[] {
  const there = idle.get(origin) ?? [];
  idle.set(origin, there);
  return there;
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new UnsendableHeader(name);
    }
  }
}
