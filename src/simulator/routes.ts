import type { Endpoint } from "../contract/endpoint.ts";
import { endpoints } from "../contract/endpoints.ts";
import { extensions } from "../contract/extensions/extensions.ts";
import type { ReceivedRequest } from "../contract/request.ts";

/** The path prefix of group A, as in the service's own addresses: a client that drops it finds nothing. */
export const defaultBasePath = "/partner/v1";

export type ServedEnvironment = "live" | "sandbox";

/** The environment to simulate, and its path prefix; empty for none. */
export interface ServedPlace {
  readonly environment: ServedEnvironment;
  readonly basePath: string;
  /** With endpoints beyond the specification. */
  readonly hasExtensions: boolean;
}

/** The endpoint of a request, with the fields in its address. */
export interface RoutedRequest extends Omit<ReceivedRequest, "body"> {
  readonly endpoint: Endpoint;
}

interface Route {
  readonly endpoint: Endpoint;
  readonly form: RegExp;
  readonly fields: readonly string[];
}

const routes: readonly Route[] = [...endpoints, ...extensions].map((endpoint) => {
  const fields = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, field = ""]) => field);
  return { endpoint, form: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, "([^/]*)")}$`), fields };
});

/**
 * The endpoint at that address; undefined where there is none. Spec 4: all paths are relative to one base URL, so group
 * B is found under the path too, besides its own address without one. Spec 8: some endpoints are live only.
 */
export function findRoute(asked: string, target: string, place: ServedPlace): RoutedRequest | undefined {
  const { environment, basePath, hasExtensions } = place;
  // HEAD works wherever GET does: Node omits the body.
  const method = asked === "HEAD" ? "GET" : asked;
  const [address = "", query = ""] = target.split(/\?(.*)/s);
  const underBase = address.startsWith(`${basePath}/`) ? address.slice(basePath.length) : undefined;
  for (const { endpoint, form, fields } of routes) {
    if (endpoint.extension !== undefined && !hasExtensions) continue;
    if (endpoint.method !== method || (endpoint.availability === "live only" && environment !== "live")) continue;
    // The path may begin as group B's own addresses do.
    const match = form.exec(underBase ?? "") ?? (endpoint.auth === "B" ? form.exec(address) : null);
    if (match === null) continue;
    const path = Object.fromEntries(fields.map((field, index) => [field, decodeSegment(match[index + 1] ?? "")]));
    return { endpoint, path, query: Object.fromEntries(new URLSearchParams(query)) };
  }
  return undefined;
}

/** The path without the prefix. */
export function pathBelow(basePath: string, path: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

/** Decodes a path segment; invalid escapes are kept, and match no account. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
