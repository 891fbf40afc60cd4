import { isJsonObject } from "../values/json.ts";
import { isVisible } from "../values/text/text.ts";
import type { Endpoint } from "./endpoint.ts";
import { isRead } from "./endpoint.ts";
import type { EncodedRequest } from "./request.ts";
import { decodeJson } from "./wire.ts";

/** The parts of a path that a person typed. `query` is without its question mark, or `""`. */
export interface TypedTarget {
  readonly segments: readonly string[];
  readonly query: string;
}

const reserved = /[\\;#@:]/;
/** Escapes that would be another path to a server that decodes once more than we do. */
const hiddenSeparators = /%(?:2f|5c|2e|25|[01][0-9a-f]|7f)/i;
const escapes = /%(?![0-9a-f]{2})/i;

/**
 * Parses a path below the base URL. A path that a server or proxy could read differently is refused.
 * @returns the parts, or why it is refused, in words that follow the path
 */
export function readTarget(typed: string): TypedTarget | string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) return "names a host; the profile does that";
  if (!typed.startsWith("/")) return "doesn't begin with a slash";
  if (typed.includes("//")) return "has two slashes in a row";
  if (!isVisible(typed) || /\s/.test(typed)) return "contains white space or a control character";
  const [path = "", ...queries] = typed.split("?");
  if (hiddenSeparators.test(path)) return "hides a separator, a dot or a percent sign behind a percent sign";
  if (escapes.test(typed)) return "has a percent sign without two digits behind it";
  if (reserved.test(path) || typed.includes("#")) return "has a character in it that no path of the service has";
  const segments = path.slice(1).split("/").map(decoded);
  if (segments.some((segment) => segment === undefined)) return "has an escape in it that isn't UTF-8";
  if (segments.some((segment) => segment === "." || segment === "..")) return "leads up to another folder";
  return { segments: segments.filter((segment) => segment !== undefined), query: queries.join("?") };
}

/** True where an endpoint has this path, whatever its method. */
export function hasPath({ path }: Endpoint, { segments }: TypedTarget): boolean {
  const parts = path.slice(1).split("/");
  return (
    parts.length === segments.length &&
    parts.every((part, at) => (isPlace(part) ? segments[at] !== "" : part === segments[at]))
  );
}

/** True for a path without fields: it takes precedence over paths with fields. */
export function isLiteral({ path }: Endpoint): boolean {
  return !path.includes("{");
}

/** What a raw read is made of. */
export interface RawParts {
  readonly endpoint: Endpoint<"reads">;
  readonly encoded: EncodedRequest;
  /** The account in its path or body; undefined without one. */
  readonly accountNo: string | undefined;
}

/**
 * A read that is sent as it was typed. Only this file can make one, so a `Reader` need not trust any other code that it
 * is a read.
 */
export class RawRead {
  readonly #parts: RawParts;

  private constructor(parts: RawParts) {
    this.#parts = parts;
  }

  /**
   * @param body exact JSON text; undefined sends none
   * @throws {JsonError} where the body isn't JSON
   */
  static of(endpoint: Endpoint<"reads">, target: TypedTarget, body: string | undefined): RawRead {
    if (!isRead(endpoint) || !hasPath(endpoint, target)) throw new Error(`${endpoint.name} isn't a read of this path`);
    const path = target.segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
    const encoded = { target: target.query === "" ? path : `${path}?${target.query}`, body };
    return new RawRead({ endpoint, encoded, accountNo: placed(endpoint, target) ?? accountIn(body) });
  }

  static partsOf(read: RawRead): RawParts {
    return read.#parts;
  }
}

/** The account number in a path that has a place for one. */
function placed({ path }: Endpoint, { segments }: TypedTarget): string | undefined {
  return segments[path.slice(1).split("/").indexOf("{accountNo}")];
}

function accountIn(body: string | undefined): string | undefined {
  const value = body === undefined ? undefined : decodeJson(body);
  const number = isJsonObject(value) ? value["accountNo"] : undefined;
  return typeof number === "string" ? number : undefined;
}

function isPlace(part: string): boolean {
  return part.startsWith("{");
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
