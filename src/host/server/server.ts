import { Failure } from "../../values/failure.ts";
import type { MoneyFate } from "../../values/failure.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import type { Host } from "../host.ts";
import type { RequestHandler, IncomingRequest, Listening, ListenOptions, OutgoingResponse } from "./listener.ts";
import { BodyTooLarge } from "./listener.ts";
import { codeOf, systemReason } from "../system-error.ts";

/** Limits of connections to a server that strangers can reach. Node's defaults keep slow ones for minutes. */
const strangersLimits = { headersTimeoutMs: 5_000, requestTimeoutMs: 10_000 };

/** Options of a server that receives callbacks or webhooks. */
export interface ServerOptions {
  readonly address: ListenAddress;
  readonly tls?: ListenOptions["tls"];
  readonly bodiesMaxBytes?: number | undefined;
  /** What to do where the server can't listen on the address. */
  readonly hint: string;
  readonly money: MoneyFate;
}

/**
 * Starts a server that strangers can reach.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's)
 */
export async function receive(
  host: Pick<Host, "listen">,
  options: ServerOptions,
  answer: RequestHandler,
): Promise<Listening> {
  const { address, tls, bodiesMaxBytes, hint, money } = options;
  try {
    return await host.listen({ ...address, ...strangersLimits, tls, bodiesMaxBytes }, answer);
  } catch (cause) {
    if (tls !== undefined && isOfOpenssl(cause)) throw unusableCertificate(cause);
    const isTaken = codeOf(cause) === "EADDRINUSE";
    const why = systemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    const message = `Cannot listen on ${address.host}:${address.port}: ${why}.`;
    throw new Failure(isTaken ? "unavailable" : "usage", message, { hint, money, cause });
  }
}

function isOfOpenssl(error: unknown): error is Error {
  return error instanceof Error && /^ERR_(OSSL|TLS|CRYPTO|INVALID_ARG)/.test(codeOf(error) ?? "");
}

/** OpenSSL's message names its internal routines before the reason. */
function unusableCertificate(cause: Error): Failure {
  return new Failure("usage", `The certificate and its key cannot be used: ${cause.message.replace(/^.*:/, "")}.`, {
    hint: "Give PEM files that belong together, the certificate with its chain.",
    cause,
  });
}

/** The whole body; undefined where it is larger than `maxBytes`. */
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

/** The answer to every request that is not accepted: it doesn't say why. */
export const notFound: OutgoingResponse = jsonAnswer(404, '{"message":"not found"}', { connection: "close" });
