import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";

/** An error body of the service, read leniently: every field may be missing. Spec 7, and what occurs beyond it. */
export interface Problem {
  /** The body's own `statusCode`, where it is a number: documented errors repeat the HTTP status there. */
  readonly statusCode: number | undefined;
  /** Such as `INVALID_CREDENTIALS` or `Validation Error`. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** Messages by field. */
  readonly details: Readonly<Record<string, string>>;
}

/** More details than this are dropped: an answer can be hostile. */
const detailsMaxCount = 50;

/**
 * Reads any of the error bodies that occur: `{statusCode, reason, details, message}`, `{statusCode, message, error,
 * details}`, `{error, message, details: [{field, message}]}`, or a bare map of field to message. Undefined for anything
 * but an object.
 */
export function readProblem(body: JsonValue): Problem | undefined {
  if (!isJsonObject(body)) return undefined;
  const reason = textOf(body["reason"]);
  const error = textOf(body["error"]);
  const message = textOf(body["message"]);
  const named = {
    statusCode: numberOf(body["statusCode"]),
    reason: reason ?? error,
    details: detailsOf(body["details"]),
  };
  if (named.statusCode !== undefined || reason !== undefined || error !== undefined || message !== undefined)
    return { ...named, message: messageOf(message, named.details) };
  return { ...named, message: undefined, details: { ...named.details, ...detailsOf(body) } };
}

/** Group A repeats the details as JSON text in `message`, which is then dropped. Spec 7.1. */
function messageOf(message: string | undefined, details: Readonly<Record<string, string>>): string | undefined {
  return message?.startsWith("{") === true && Object.keys(details).length > 0 ? undefined : message;
}

function detailsOf(details: JsonValue | undefined): Record<string, string> {
  const pairs = Array.isArray(details) ? details.filter(isJsonObject).map(fieldAndMessage) : entriesOf(details);
  return Object.fromEntries(pairs.filter(([, message]) => message !== "").slice(0, detailsMaxCount));
}

function entriesOf(details: JsonValue | undefined): [string, string][] {
  return isJsonObject(details) ? Object.entries(details).map(([name, value]) => [name, textOf(value) ?? ""]) : [];
}

function fieldAndMessage(detail: JsonObject): [string, string] {
  return [textOf(detail["field"]) ?? "request", textOf(detail["message"]) ?? ""];
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Array.isArray(value)) return value.filter((part) => typeof part === "string").join("; ") || undefined;
  return value instanceof Numeral ? value.text : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return value instanceof Numeral && /^\d{3}$/.test(value.text) ? Number(value.text) : undefined;
}
