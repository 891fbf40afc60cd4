import { isJsonObject, Numeral } from "../values/json.ts";
import type { Endpoint } from "./endpoint.ts";

/** Violations by field path, such as `sender.fullName`. */
export type Violations = Readonly<Record<string, string>>;

export interface EncodedRequest {
  /** Path and query, to be appended to the base URL as text. */
  readonly target: string;
  /** JSON text; absent where the endpoint has no body. */
  readonly body: string | undefined;
}

/** A request as it arrived at a server, unchecked. */
export interface ReceivedRequest {
  /** Decoded values of the path's `{fields}`. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** All violations of a request's form; empty where it conforms to the specification. */
export function violationsOf(endpoint: Endpoint, input: unknown): Violations {
  const result = endpoint.request.schema.safeParse(input);
  if (result.success) return {};
  const violations: Record<string, string> = {};
  for (const issue of result.error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) violations[[...issue.path, key].join(".")] ??= "is not a field of this request";
    } else {
      const path = issue.path.join(".") || "body";
      violations[path] ??= valueAt(input, issue.path) === undefined ? "is required" : issue.message;
    }
  }
  return violations;
}

/** Encodes a valid request, with fields in the order in which the caller names them. */
export function encodeRequest(endpoint: Endpoint, input: object): EncodedRequest {
  const places = endpoint.request.places ?? {};
  const body: Record<string, unknown> = {};
  const query = new URLSearchParams();
  let target: string = endpoint.path;
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (places[name] === "path") target = target.replace(`{${name}}`, () => encodeURIComponent(String(value)));
    else if (places[name] === "query") query.append(name, String(value));
    else body[name] = value;
  }
  if (query.size > 0) target += `?${query.toString()}`;
  return { target, body: endpoint.method === "POST" ? JSON.stringify(body) : undefined };
}

/** The endpoint's input, reassembled from path, query and body. */
export function decodeRequest(endpoint: Endpoint, received: ReceivedRequest): unknown {
  if (endpoint.method === "GET") return { ...received.path, ...received.query };
  return isJsonObject(received.body) ? { ...received.path, ...received.body } : received.body;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || value instanceof Numeral) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
