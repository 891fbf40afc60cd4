import { isIP } from "node:net";
import { WireError } from "./transport.ts";

/** Where a connection goes to. */
export interface ConnectionTarget {
  readonly secure: boolean;
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Reads an absolute http or https URL, never quoting it: it may be a secret in the wrong place.
 * @throws {WireError} address
 */
export function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new WireError("address", "The address isn't an http or https URL", { sent: false });
  }
  if (url.username !== "" || url.password !== "") {
    throw new WireError("address", "The address holds a user name or password: they would not be sent", {
      sent: false,
    });
  }
  return url;
}

/** The host and port of a URL: IPv6 without brackets, and with the default port. */
export function destinationOf(url: URL): ConnectionTarget {
  const secure = url.protocol === "https:";
  return {
    secure,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
  };
}

/** `name:port`, with brackets around IPv6. */
export function authorityOf({ host, port }: ConnectionTarget): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
