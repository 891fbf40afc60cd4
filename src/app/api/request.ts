import type { Endpoint } from "../../contract/endpoint.ts";
import { isRead } from "../../contract/endpoint.ts";
import type { TypedTarget } from "../../contract/raw-read.ts";
import { bankPayout, payout } from "../../contract/extensions/payout.ts";
import { hasPath, isLiteral, RawRead, readTarget } from "../../contract/raw-read.ts";
import { JsonError } from "../../json/json-error.ts";
import { FileTooLarge } from "../../host/files/files.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import { Failure } from "../../values/failure.ts";
import { quote, visible } from "../../values/text/text.ts";
import { violation } from "../../values/violation.ts";
import type { Session } from "../session.ts";
import type { KnownEndpoint } from "./known-endpoints.ts";

/** No read of the service has a longer body. */
const bodyMaxBytes = 1024 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const nothingSent = "nothing was sent";

/** The words after `partner api`. */
export interface TypedRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Each `name=value`. */
  readonly query: readonly string[];
  readonly body: string | undefined;
}

/**
 * `GET` or `POST`, in any case: no read of the service has another method.
 * @throws {Failure} usage
 */
export function parseMethod(text: string, field: string): "GET" | "POST" {
  const method = text.toUpperCase();
  if (method === "GET" || method === "POST") return method;
  throw violation({ field, text, problem: "isn't a method that reads", example: "GET", rule: "GET or POST" });
}

/** @throws {Failure} usage */
export function parseQueryPair(text: string, field: string): string {
  if (/^[^=\s]+=/.test(text)) return text;
  throw violation({ field, text, problem: "isn't a name and a value", example: "startDate=2026-03-01" });
}

/** @throws {Failure} usage */
export function parseBodySource(text: string, field: string): string {
  if (/^@./.test(text)) return text.slice(1);
  throw violation({ field, text, problem: "names no file", example: "@body.json", rule: "@FILE, or @- for stdin" });
}

/**
 * The typed request, where it is a known read.
 * @throws {Failure} usage; names what to use instead
 */
export async function rawRequest(
  typed: TypedRequest,
  known: readonly KnownEndpoint[],
  session: Session,
): Promise<RawRead> {
  const target = readTarget(typed.path);
  if (typeof target === "string")
    throw new Failure("usage", `The path ${quote(typed.path)} ${target}; ${nothingSent}.`, {
      hint: "Type the path below the base URL: partner api GET /wallet",
    });
  if (typed.method === "GET" && typed.body !== undefined)
    throw new Failure("usage", `A GET has no body; ${nothingSent}.`, {
      hint: "Leave --body out, and write what it asks for into the path or --query.",
    });
  const endpoint = readAt(typed, target, known);
  return read(endpoint, withQuery(target, typed.query), typed.body, await bodyOf(typed.body, session));
}

function readAt({ method, path }: TypedRequest, target: TypedTarget, known: readonly KnownEndpoint[]): ReadEndpoint {
  const at = known.filter(({ endpoint }) => hasPath(endpoint, target));
  const literal = at.filter(({ endpoint }) => isLiteral(endpoint));
  const candidates = literal.length > 0 ? literal : at;
  // Another method of an endpoint that moves money would be refused next.
  const found =
    candidates.find(({ endpoint }) => endpoint.method === method) ??
    candidates.find(({ endpoint }) => !isReading(endpoint));
  if (found === undefined) throw unknownEndpoint(method, path, candidates, known);
  const { endpoint, turnedOnBy } = found;
  if (!isReading(endpoint))
    throw new Failure("usage", `${endpoint.method} ${endpoint.path} moves money, and api only reads; ${nothingSent}.`, {
      hint: `The command that does it, once and on record: partner ${commandFor(endpoint)} --help`,
    });
  if (turnedOnBy === undefined) return endpoint;
  throw new Failure("usage", `${method} ${endpoint.path} is off for this account; ${nothingSent}.`, {
    hint: `Turn it on: ${turnedOnBy}`,
  });
}

/** No command uses the older address of payouts, so the command for the newer one is named. */
function commandFor(endpoint: Endpoint): string {
  return endpoint === bankPayout ? payout.name : endpoint.name;
}

type ReadEndpoint = Endpoint<"reads">;

function isReading(endpoint: Endpoint): endpoint is ReadEndpoint {
  return isRead(endpoint);
}

function unknownEndpoint(
  method: string,
  path: string,
  there: readonly KnownEndpoint[],
  known: readonly KnownEndpoint[],
): Failure {
  const [other] = there;
  if (other !== undefined)
    return new Failure("usage", `${visible(path)} takes ${other.endpoint.method}, not ${method}; ${nothingSent}.`, {
      hint: `Use ${other.endpoint.method}.`,
    });
  const reads = known.filter(({ endpoint, turnedOnBy }) => isRead(endpoint) && turnedOnBy === undefined);
  const names = reads.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
  return new Failure("usage", `${method} ${visible(path)} isn't an endpoint that api can read; ${nothingSent}.`, {
    hint: `api reads ${names.join(", ")}.`,
  });
}

function withQuery(target: TypedTarget, pairs: readonly string[]): TypedTarget {
  const query = new URLSearchParams();
  for (const pair of pairs) {
    const end = pair.indexOf("=");
    query.append(pair.slice(0, end), pair.slice(end + 1));
  }
  return { ...target, query: [target.query, query.toString()].filter((part) => part !== "").join("&") };
}

async function bodyOf(source: string | undefined, { host }: Session): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const bytes = await (source === "-" ? host.stdin.read(bodyMaxBytes) : host.files.read(source, bodyMaxBytes)).catch(
    (cause: unknown) => {
      if (cause instanceof Failure) throw cause;
      throw unusable(
        source,
        `: ${cause instanceof FileTooLarge ? "it is larger than 1 MiB" : fileFailureOf(cause)}.`,
        cause,
      );
    },
  );
  try {
    return utf8.decode(bytes) || undefined;
  } catch (cause) {
    throw unusable(source, ": it isn't UTF-8.", cause);
  }
}

/** The service accepts only JSON: a file of another kind is a mistake. */
function read(endpoint: ReadEndpoint, target: TypedTarget, source = "", body: string | undefined): RawRead {
  try {
    return RawRead.of(endpoint, target, body);
  } catch (cause) {
    throw cause instanceof JsonError ? unusable(source, `. ${cause.message}`, cause) : cause;
  }
}

/** @param why the end of the sentence, with the punctuation before it */
function unusable(source: string, why: string, cause: unknown): Failure {
  return new Failure("usage", `The body in ${source === "-" ? "stdin" : quote(source)} cannot be sent${why}`, {
    hint: "Name a file that holds the JSON of a request, or - for stdin: --body @request.json",
    cause,
  });
}
