import type { Credentials } from "../contract/authentication.ts";
import { requestHeaders } from "../contract/authentication.ts";
import type { MoneyEndpoint } from "../contract/endpoint.ts";
import type { EncodedRequest } from "../contract/request.ts";
import type { Transport, WireLimits, WireResponse } from "../host/http/transport.ts";
import { WireError } from "../host/http/transport.ts";
import * as limits from "./limits.ts";
import type { Service } from "./service.ts";

/** What became of a request that moves money, as far as the wire knows. */
export type Sent =
  /** A whole answer came; what it means is judged elsewhere. */
  | { readonly kind: "answered"; readonly http: number; readonly body: string }
  /** Provably no byte of the request left this machine. */
  | { readonly kind: "unsent"; readonly why: string; readonly cause: unknown }
  /** Bytes left, and no whole answer came back. */
  | { readonly kind: "lost"; readonly why: string; readonly cause: unknown };

/** One request that moves money, ready to leave. */
export interface Consignment {
  readonly endpoint: Pick<MoneyEndpoint, "method" | "auth">;
  readonly encoded: EncodedRequest;
  readonly credentials: Credentials;
  readonly requestId: string;
  /** Stops what has not left; what has left is waited for. */
  readonly signal: AbortSignal;
  /** Ends the waiting for the answer. */
  readonly giveUp: AbortSignal;
  /**
   * Called when the connection stands and before the first byte leaves: a throw sends nothing and comes out of `send`.
   */
  readonly onSending: () => void;
}

export interface MoverSettings {
  readonly service: Service;
  readonly transport: Transport;
  readonly timeoutMs: number;
}

/**
 * Sends a request that moves money: once, over a connection of its own, and never again. Only `movements` holds one.
 */
export class Mover {
  readonly #settings: MoverSettings;

  constructor(settings: MoverSettings) {
    this.#settings = settings;
  }

  /** Throws only what `onSending` throws: everything else that can happen is an outcome. */
  async send({ endpoint, encoded, credentials, requestId, signal, giveUp, onSending }: Consignment): Promise<Sent> {
    const { service, transport, timeoutMs } = this.#settings;
    let sending = false;
    const stop = new AbortController();
    const stopUnsent = () => (sending ? undefined : stop.abort(signal.reason));
    const release = [listen(signal, stopUnsent), listen(giveUp, () => stop.abort(giveUp.reason))];
    try {
      const response = await transport({
        method: endpoint.method,
        url: service.address(endpoint.auth, encoded.target),
        headers: requestHeaders(credentials, requestId),
        body: encoded.body,
        limits: moneyLimits(timeoutMs),
        signal: stop.signal,
        freshConnection: true,
        onSending() {
          onSending();
          sending = true;
        },
      });
      return { kind: "answered", http: response.status, body: await bodyOf(response) };
    } catch (cause) {
      if (!(cause instanceof WireError)) {
        if (!sending) throw cause;
        return { kind: "lost", why: "The answer could not be read", cause };
      }
      return cause.sent || sending
        ? { kind: "lost", why: cause.message, cause }
        : { kind: "unsent", why: cause.message, cause };
    } finally {
      for (const leave of release) leave();
    }
  }
}

/** Calls it when the signal is aborted, or at once where it is already; what comes back ends that. */
function listen(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  signal.addEventListener("abort", act);
  return () => signal.removeEventListener("abort", act);
}

/** Undecodable bytes make an answer that no judge believes. */
async function bodyOf(response: WireResponse): Promise<string> {
  const decoder = new TextDecoder();
  let body = "";
  for await (const chunk of response.body) body += decoder.decode(chunk, { stream: true });
  return body + decoder.decode();
}

function moneyLimits(timeoutMs: number): WireLimits {
  return {
    connectTimeoutMs: Math.min(timeoutMs, limits.connectTimeoutMs),
    headersTimeoutMs: Math.min(timeoutMs, limits.headersTimeoutMs),
    bodyTimeoutMs: Math.min(timeoutMs, limits.bodyTimeoutMs),
    deadlineMs: timeoutMs,
    responseMaxBytes: limits.moneyAnswerMaxBytes,
  };
}
