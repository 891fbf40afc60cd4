import { isUtf8 } from "node:buffer";
import type { Credentials } from "../contract/authentication.ts";
import { requestHeaders, secretOf } from "../contract/authentication.ts";
import type { MoneyEndpoint } from "../contract/endpoint.ts";
import { isMoney } from "../contract/endpoint.ts";
import type { WireLimits, WireResponse } from "../host/http/transport.ts";
import { WireError } from "../host/http/transport.ts";
import { Issued } from "../journal/issued.ts";
import type { Claim } from "../journal/journal.ts";
import { ClaimLost } from "../journal/claim-errors.ts";
import { withoutSecrets } from "../values/text/without-secrets.ts";
import { Connection } from "./connection.ts";
import * as limits from "./limits.ts";

/** The outcome of a request that moves money, as far as the wire knows it. */
export type Sent =
  /** A whole answer came; its meaning is judged elsewhere. */
  | {
      readonly kind: "answered";
      readonly http: number;
      readonly body: string;
      /** The body to keep and to show, without our secret, which a service may quote. */
      readonly shown: string;
      /** False where its bytes aren't UTF-8: the body then has U+FFFD in their place. */
      readonly isText: boolean;
    }
  /** Provably no byte of the request left this machine. */
  | { readonly kind: "unsent"; readonly why: string; readonly cause: unknown }
  /** Bytes left, and no whole answer came back. */
  | { readonly kind: "lost"; readonly why: string; readonly cause: unknown };

/** Claims that were used: a claim is never sent twice, whatever came of the first time. */
const used = new WeakSet<Claim>();

/** How to send an order; the order itself is in the claim. */
export interface SendOptions {
  readonly endpoint: MoneyEndpoint;
  readonly credentials: Credentials;
  readonly requestId: string;
  /** Stops a request that has not left; the answer to one that has left is still waited for. */
  readonly signal: AbortSignal;
  /** Ends the waiting for the answer. */
  readonly giveUp: AbortSignal;
  /** Called when the first byte is about to leave. */
  readonly onLeaving: () => void;
}

/**
 * Sends an order: once, over a connection of its own, and never again. It sends only what the journal has a claim on,
 * unchanged, and has the journal record `sending` before the first byte leaves. Only `movements` makes one.
 */
export class Mover {
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  /** @param timeoutMs the limit for one request */
  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Every outcome of the wire is returned, never thrown.
   * @throws {ClaimLost | Failure} what the claim throws where it must not be sent; nothing has left then
   */
  async send(claim: Claim, { endpoint, credentials, requestId, ...options }: SendOptions): Promise<Sent> {
    // A cast could get around the types; an order without the journal's claim would leave no record.
    if (!Issued.has(claim) || !isMoney(endpoint)) throw new Error("Only an order that the journal has can be sent");
    if (used.has(claim)) throw new Error(`The order ${claim.movement.id} was sent before`);
    // The limits of the profile were checked for the kind that the journal has.
    const { kind } = claim.movement;
    if (endpoint.name !== kind) throw new Error(`A claim on a ${kind} can't be sent as a ${endpoint.name}`);
    used.add(claim);
    await claim.beforeDialling(requestId);
    const { signal, giveUp, onLeaving } = options;
    let sending = false;
    const stop = new AbortController();
    const stopUnsent = () => (sending ? undefined : stop.abort(signal.reason));
    const release = [listen(signal, stopUnsent), listen(giveUp, () => stop.abort(giveUp.reason))];
    try {
      const response = await Connection.transportOf(this.#connection)({
        method: endpoint.method,
        url: this.#connection.service.address(endpoint.auth, endpoint.path),
        headers: requestHeaders(credentials, requestId),
        body: claim.movement.request,
        limits: moneyLimits(this.#timeoutMs),
        signal: stop.signal,
        freshConnection: true,
        onSending() {
          claim.beforeFirstByte(requestId);
          onLeaving();
          sending = true;
        },
      });
      return { kind: "answered", http: response.status, ...(await bodyOf(response, credentials)) };
    } catch (cause) {
      if (!(cause instanceof WireError)) {
        if (!sending) return await takeBack(claim, cause);
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

/**
 * Nothing was sent, yet `sending` may be on the disk: a commit that fails in its last step may have taken effect. Where
 * the journal can be written, it now records that nothing was sent, so that the order doesn't count as unknown.
 */
async function takeBack(claim: Claim, error: unknown): Promise<never> {
  if (!(error instanceof ClaimLost))
    await claim.settle({ state: "unsent", note: "It was given up before anything was sent" }).catch(() => undefined);
  throw error;
}

/** Calls `act` when the signal is aborted, at once if it already is; returns a function that stops listening. */
function listen(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  signal.addEventListener("abort", act);
  return () => signal.removeEventListener("abort", act);
}

async function bodyOf(
  response: WireResponse,
  credentials: Credentials,
): Promise<{ readonly body: string; readonly shown: string; readonly isText: boolean }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const body = new TextDecoder().decode(bytes);
  return { body, shown: withoutSecrets(body, [secretOf(credentials)]), isText: isUtf8(bytes) };
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
