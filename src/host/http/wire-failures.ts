import type { ConnectionTarget } from "./endpoint.ts";
import { authorityOf } from "./endpoint.ts";
import { certificateReason } from "../system-error.ts";
import type { WireErrorKind } from "./transport.ts";
import { interimMaxCount } from "./interim.ts";
import { WireError } from "./transport.ts";

/** Why there is no connection; no byte of the request has left. `connected`: the failure was in the TLS handshake. */
export function connectError(error: unknown, to: ConnectionTarget, connected: boolean): WireError {
  const code = codeOf(error);
  const say = (kind: WireErrorKind, message: string) =>
    new WireError(kind, `${message} (${code})`, { sent: false, cause: error });
  const certificate = certificateReason(code);
  if (certificate !== undefined) return say("tls", `The certificate of ${to.host} ${certificate}`);
  if (connected) return say("tls", `TLS with ${authorityOf(to)} failed`);
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) return say("address", `The name ${to.host} was not found`);
  return say("connection", `Could not connect to ${authorityOf(to)}`);
}

/** A failure of the proxy, or on the way to it. */
export function proxyError(error: unknown, name: string, sent: boolean): WireError {
  const why = error instanceof WireError ? error.message : `it gave no HTTP answer (${codeOf(error)})`;
  return new WireError("proxy", `The proxy ${name} failed: ${why}`, { sent, cause: error });
}

/** Why the exchange broke off once the connection was made. The client's own error is left out: it may hold the answer. */
export function exchangeError(error: unknown, to: ConnectionTarget, sent: boolean): WireError {
  if (error instanceof WireError) return error;
  const code = codeOf(error);
  const [kind, message] = describe(code, authorityOf(to));
  return new WireError(kind, `${message} (${code})`, { sent });
}

function describe(code: string, server: string): [WireErrorKind, string] {
  if (code === "HEADERS_TIMEOUT") return ["timeout", `${server} did not answer in time`];
  if (code === "BODY_TIMEOUT" || code === "ETIMEDOUT") return ["timeout", `${server} fell silent`];
  if (code === "HPE_HEADER_OVERFLOW") return ["too large", `The headers from ${server} are too large`];
  if (code === "TOO_MANY_INTERIM") return ["protocol", `${server} sent more than ${interimMaxCount} interim answers`];
  if (code.startsWith("HPE_")) return ["protocol", `What ${server} sent isn't HTTP`];
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) return ["tls", `${server} ended the TLS connection`];
  return ["reset", `${server} broke off the connection`];
}

/** Of an error for several addresses, the first one's code counts. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "closed";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : error.name;
}
