import { BlockList, isIP } from "node:net";
import type { ConnectionTarget } from "./endpoint.ts";
import { authorityOf, destinationOf, isLoopback } from "./endpoint.ts";
import { WireError } from "./transport.ts";

export interface Proxy {
  readonly endpoint: ConnectionTarget;
  /** For messages: without the credentials that the variable may contain. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The proxy that the environment names for an address: `HTTPS_PROXY` or `HTTP_PROXY` by the address's scheme, else
 * `ALL_PROXY`, unless `NO_PROXY` exempts the address. Lower-case names win. Loopback addresses never use a proxy: it
 * could not reach them.
 * @throws {WireError} proxy setting, where the variable has no usable URL
 */
export function proxyFor(
  target: ConnectionTarget,
  environment: Readonly<Record<string, string | undefined>>,
): Proxy | undefined {
  const variable = proxyVariable(target, environment);
  if (variable === undefined || isLoopback(target.host)) return undefined;
  if (isExempt(target, readVariable(environment, "NO_PROXY") ?? "")) return undefined;
  return parseProxy(readVariable(environment, variable) ?? "", variable);
}

/** The variable that names the proxy for an address, in capitals; undefined where none does. */
export function proxyVariable(
  target: Pick<ConnectionTarget, "secure">,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const own = target.secure ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [own, "ALL_PROXY"].find((name) => readVariable(environment, name) !== undefined);
}

function readVariable(environment: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined;
}

function parseProxy(value: string, variable: string): Proxy {
  const url = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (url?.protocol.startsWith("socks") === true) {
    const message = `${variable} names a SOCKS proxy, and only http and https proxies can be used`;
    throw new WireError("proxy setting", message, { sent: false });
  }
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") {
    throw new WireError("proxy setting", `${variable} isn't an http or https URL of a proxy`, { sent: false });
  }
  const endpoint = destinationOf(url);
  return { endpoint, name: authorityOf(endpoint), headers: authorization(url, variable) };
}

function authorization(url: URL, variable: string): Record<string, string> {
  if (url.username === "" && url.password === "") return {};
  try {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
  } catch {
    throw new WireError("proxy setting", `${variable} has a broken %-escape in its user name or password`, {
      sent: false,
    });
  }
}

/**
 * Entries are separated by commas or spaces: `*`, a domain with its subdomains, an address or a range, each optionally
 * with `:port`.
 */
function isExempt(target: ConnectionTarget, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && matches(target, entry));
}

function matches(target: ConnectionTarget, entry: string): boolean {
  if (entry === "*") return true;
  const { port, ...named } = splitPort(entry);
  const name = named.name.replace(/^\*?\./, "");
  if (name === "" || (port !== undefined && Number(port) !== target.port)) return false;
  if (isIP(target.host) !== 0) return isAddressWithin(target.host, name);
  const host = target.host.replace(/\.$/, "");
  return host === name || host.endsWith(`.${name}`);
}

/** Splits `host:port`, `host`, `[::1]:port` or `::1`. With an invalid port, the name is empty and matches nothing. */
function splitPort(entry: string): { readonly name: string; readonly port: string | undefined } {
  const bracket = entry.startsWith("[") ? entry.lastIndexOf("]") : -1;
  if (bracket < 0 && entry.indexOf(":") !== entry.lastIndexOf(":")) return { name: entry, port: undefined };
  const colon = entry.indexOf(":", Math.max(bracket, 0));
  const [name, port] = colon < 0 ? [entry, undefined] : [entry.slice(0, colon), entry.slice(colon + 1)];
  if (port !== undefined && !/^\d+$/.test(port)) return { name: "", port };
  return { name: bracket < 0 ? name : name.slice(1, -1), port };
}

function isAddressWithin(address: string, range: string): boolean {
  const [network = "", bits] = range.split("/");
  const family = isIP(network);
  if (family === 0 || family !== isIP(address)) return false;
  const most = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (prefix < 0 || prefix > most) return false;
  const kind = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, prefix, kind);
  return list.check(address, kind);
}
