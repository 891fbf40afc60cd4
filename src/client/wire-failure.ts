import type { WireError, WireTrouble } from "../host/transport.ts";
import { Failure } from "../values/failure.ts";

/** What a person can do about each kind of trouble on the wire. */
const advice: Readonly<Record<WireTrouble, string>> = {
  address: "Check the base URL and the network: partner doctor",
  connection: "Check the base URL and the network: partner doctor",
  tls: "Check the certificate: --ca-cert FILE adds one to those that are trusted.",
  proxy: "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY: partner doctor",
  reset: "Try again.",
  timeout: "Try again, or allow more time: --timeout 2m",
  "too large": "Ask for a shorter period.",
  protocol: "Check the base URL: partner profile show",
  aborted: "Try again.",
};

/** A read that the wire failed: nothing changed, so it may be tried again. */
export function unreachable(error: WireError, requestId: string): Failure {
  return new Failure("unavailable", error.message, { hint: advice[error.trouble], requestId, cause: error });
}

/** Troubles that another attempt does not mend. */
export function isLasting(error: WireError): boolean {
  return error.trouble === "tls" || error.trouble === "too large" || error.trouble === "aborted";
}
