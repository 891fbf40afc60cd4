import type { Credentials } from "../contract/authentication.ts";
import { requestHeaders } from "../contract/authentication.ts";
import type { Host } from "../host/host.ts";
import type { Transport } from "../host/http/transport.ts";
import { WireError } from "../host/http/transport.ts";
import { interruption } from "../values/failure.ts";
import * as limits from "./limits.ts";
import { unreachable } from "./wire-failure.ts";

/** The answer of an address, uninterpreted. */
export interface Probed {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the request was made and when its answer was whole, milliseconds since 1970 UTC by this machine's clock. */
  readonly askedMs: number;
  readonly answeredMs: number;
}

export interface ProbeSettings {
  /** Without them, an answer proves nothing about the account. */
  readonly credentials?: Credentials | undefined;
  readonly timeoutMs: number;
}

/**
 * Sends one GET to an address and returns whatever it answers. The body is read to its end and dropped: a connection
 * that breaks off is something a probe must find.
 * @throws {Failure} unavailable | interrupted
 */
export type Probe = (url: string, settings: ProbeSettings) => Promise<Probed>;

type Surroundings = Pick<Host, "clock" | "ids" | "signal">;

export function probing(host: Surroundings, transport: Transport): Probe {
  return (url, settings) => look(host, transport, url, settings);
}

async function look(
  host: Surroundings,
  transport: Transport,
  url: string,
  { credentials, timeoutMs }: ProbeSettings,
): Promise<Probed> {
  const requestId = host.ids.uuid();
  const askedMs = host.clock.now();
  try {
    const { status, headers, body } = await transport({
      method: "GET",
      url,
      headers:
        credentials === undefined
          ? { accept: "application/json", "x-request-id": requestId }
          : requestHeaders(credentials, requestId),
      limits: {
        connectTimeoutMs: Math.min(timeoutMs, limits.connectTimeoutMs),
        headersTimeoutMs: Math.min(timeoutMs, limits.headersTimeoutMs),
        bodyTimeoutMs: Math.min(timeoutMs, limits.bodyTimeoutMs),
        deadlineMs: timeoutMs,
        responseMaxBytes: limits.documentMaxBytes,
      },
      signal: host.signal,
    });
    await drain(body);
    return { status, headers, askedMs, answeredMs: host.clock.now() };
  } catch (error) {
    if (host.signal.aborted) throw interruption(host.signal, { requestId });
    throw error instanceof WireError ? unreachable(error, requestId) : error;
  }
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
}
