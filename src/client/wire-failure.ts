import type { WireError, WireErrorKind } from "../host/http/transport.ts";
import { Failure } from "../values/failure.ts";
import { withoutEnding } from "../values/text/text-end.ts";

/** What a person can do about each kind of failure on the wire. */
const advice: Readonly<Record<WireErrorKind, string>> = {
  address: "Check the base URL and the network: partner doctor",
  connection: "Check the base URL and the network: partner doctor",
  tls: "Check the certificate: --ca-cert FILE adds one to those that are trusted.",
  proxy: "Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY: partner doctor",
  "proxy setting": "Correct or unset it: partner doctor",
  reset: "Try again.",
  timeout: "Try again, or allow more time: --timeout 2m",
  "too large": "Check the base URL: partner profile show",
  protocol: "Check the base URL: partner profile show",
  aborted: "Try again.",
};

const lastingKinds: ReadonlySet<WireErrorKind> = new Set(["tls", "proxy setting", "too large", "aborted"]);

/**
 * A read that failed on the wire: nothing changed, so it may be tried again.
 * @param asked `rows` for a statement, of which less can be asked for at a time
 */
export function unreachable(error: WireError, requestId: string, asked: "whole" | "rows" = "whole"): Failure {
  const isLong = asked === "rows" && error.kind === "too large";
  const hint = isLong ? "Ask for a shorter period." : advice[error.kind];
  return new Failure("unavailable", sentence(error.message), { hint, requestId, cause: error });
}

/** Ends the message with exactly one full stop, since other sentences follow. */
function sentence(message: string): string {
  return `${withoutEnding(message, ".")}.`;
}

/** True for errors that another attempt doesn't fix. */
export function isLasting({ kind }: WireError): boolean {
  return lastingKinds.has(kind);
}
