import { Failure } from "../../values/failure.ts";
import type { MoneyFate } from "../../values/failure.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import type { Host } from "../host.ts";
import type { Answer, IncomingRequest, Listening, ListenOptions, OutgoingResponse } from "./listener.ts";
import { BodyTooLarge } from "./listener.ts";
import { codeOf, systemReason } from "../system-error.ts";

/** What a server that strangers can reach allows a connection. Node's own limits keep slow ones for minutes. */
const strangersLimits = { headersTimeoutMs: 5_000, requestTimeoutMs: 10_000 };

/** How a server begins that takes what others send of their own accord: callbacks, webhooks. */
export interface ServerOptions {
  readonly address: ListenAddress;
  readonly tls?: ListenOptions["tls"];
  readonly bodiesMaxBytes?: number | undefined;
  /** What a person can do where nobody can listen there. */
  readonly hint: string;
  readonly money: MoneyFate;
}

/**
 * Listens for what strangers send.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's)
 */
export async function receive(
  host: Pick<Host, "listen">,
  reception: ServerOptions,
  answer: Answer,
): Promise<Listening> {
  const { address, tls, bodiesMaxBytes, hint, money } = reception;
  try {
    return await host.listen({ ...address, ...strangersLimits, tls, bodiesMaxBytes }, answer);
  } catch (cause) {
    if (tls !== undefined && isOfOpenssl(cause)) throw unusableCertificate(cause);
    const isTaken = codeOf(cause) === "EADDRINUSE";
    const why = systemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    const message = `Cannot listen at ${address.host}:${address.port}: ${why}.`;
    throw new Failure(isTaken ? "unavailable" : "usage", message, { hint, money, cause });
  }
}

function isOfOpenssl(error: unknown): error is Error {
  return error instanceof Error && /^ERR_(OSSL|TLS|CRYPTO|INVALID_ARG)/.test(codeOf(error) ?? "");
}

/** OpenSSL's message names routines of its own before it says what is wrong. */
function unusableCertificate(cause: Error): Failure {
  return new Failure("usage", `The certificate and its key cannot be used: ${cause.message.replace(/^.*:/, "")}.`, {
    hint: "Give PEM files that belong together, the certificate with its chain.",
    cause,
  });
}

/** The whole body; undefined where it is larger. */
export async function bodyWithin(request: IncomingRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await request.body(maxBytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}

export function jsonAnswer(status: number, body: string, headers: OutgoingResponse["headers"] = {}): OutgoingResponse {
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

/** The one answer to everything that has no place here: it tells nothing of what it was that did not fit. */
export const notFound: OutgoingResponse = jsonAnswer(404, '{"message":"not found"}', { connection: "close" });
