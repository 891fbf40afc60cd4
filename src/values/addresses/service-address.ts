import { withoutEnding } from "../text/text-end.ts";

/** What this machine is called in an address. */
const ownNames = ["localhost", "127.0.0.1", "[::1]"] as const;
const ownName = /^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/;

/** An address of this machine by each of its names; any other address alone. */
export function addressesOf(baseUrl: string): string[] {
  return ownName.test(baseUrl) ? ownNames.map((name) => baseUrl.replace(ownName, `$1${name}`)) : [baseUrl];
}

/**
 * The one spelling of an address: upper case, a default port, a slash at the end and the names of this machine make no
 * other service of it. What isn't a URL is only itself.
 */
export function canonicalAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const host = ownNames.some((name) => name === hostname) ? "localhost" : hostname.replace(/\.$/, "");
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}${withoutEnding(pathname, "/")}`;
}
