import { withoutEnding } from "../text/text-end.ts";

/** Names of this machine in an address. */
const ownNames = ["localhost", "127.0.0.1", "[::1]"] as const;
const ownName = /^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/;

/** An address of this machine, with each of its names; any other address alone. */
export function addressesOf(baseUrl: string): string[] {
  return ownName.test(baseUrl) ? ownNames.map((name) => baseUrl.replace(ownName, `$1${name}`)) : [baseUrl];
}

/**
 * The canonical form of an address: letter case, a default port, a slash at the end and the names of this machine don't
 * make it another service. Text that isn't a URL is unchanged.
 */
export function canonicalAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const host = ownNames.some((name) => name === hostname) ? "localhost" : hostname.replace(/\.$/, "");
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}${withoutEnding(pathname, "/")}`;
}
