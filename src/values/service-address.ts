const ownNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The one spelling of an address: upper case, a default port, a slash at the end and the names of this machine make no
 * other service of it. What isn't a URL is only itself.
 */
export function canonicalAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const host = ownNames.has(hostname) ? "localhost" : hostname.replace(/\.$/, "");
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}${pathname.replace(/\/+$/, "")}`;
}
