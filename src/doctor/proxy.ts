import { authorityOf, destinationOf, isLoopback, parseAddress } from "../host/http/endpoint.ts";
import type { Host } from "../host/host.ts";
import { proxyFor, proxyVariable } from "../host/http/proxy.ts";
import { WireError } from "../host/http/transport.ts";
import type { Check } from "./check.ts";
import { ok, problem } from "./check.ts";

type Environment = Host["environment"];

/**
 * How requests reach these addresses, directly or through a proxy. A proxy's user name and password are never shown.
 */
export function checkProxy(environment: Environment, urls: readonly string[]): Check {
  const check = "proxy";
  try {
    const ways = [...new Set(urls.map((url) => describeWay(url, environment)))].filter((way) => way !== "");
    if (ways.length > 0) return ok(check, ways.join("; "));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return problem(check, `${error.message}. Correct or unset it.`);
  }
  return ok(check, "none");
}

/** Empty where no variable has anything to do with the address. */
function describeWay(url: string, environment: Environment): string {
  const target = destinationOf(parseAddress(url));
  const server = authorityOf(target);
  const named = proxyVariable(target, environment);
  const variable = named && nameOf(named, environment);
  if (variable === undefined) return "";
  const proxy = proxyFor(target, environment);
  if (proxy !== undefined) {
    const login = "proxy-authorization" in proxy.headers ? ", with a user name" : "";
    return `${server} through ${proxy.name} (${variable}${login})`;
  }
  if (isLoopback(target.host)) return `${server} directly: this machine is never behind a proxy`;
  return `${server} directly (${nameOf("NO_PROXY", environment) ?? "NO_PROXY"})`;
}

/** The name under which it is set: lower case wins. */
function nameOf(variable: string, environment: Environment): string | undefined {
  return [variable.toLowerCase(), variable].find((name) => (environment[name]?.trim() ?? "") !== "");
}
