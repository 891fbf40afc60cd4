import { JsonError } from "../contract/json-error.ts";
import { decodeJson } from "../contract/wire.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { remittanceFields } from "./fields.ts";

/** What is known of a remittance so far: by path, as text. What is empty is not known. */
export type Draft = ReadonlyMap<string, string>;

const hint = "Start from an empty one: partner remit template > draft.json";
/** Fields of the body that nobody is asked for. */
const madeFields = ["paymentDate", "partnerReference"];

/**
 * A draft from a file of the specification's body.
 * @throws {Failure} usage; names what is wrong and repeats nothing of it
 */
export function readDraft(text: string): Draft {
  const body = parse(text);
  if (!isJsonObject(body)) throw new Failure("usage", "The draft is no JSON object.", { hint });
  const found = new Map<string, string>();
  const faults: Record<string, string> = {};
  for (const [path, value] of leaves(body)) {
    if (!isField(path)) faults[path] = "is not a field of a remittance";
    else if (value instanceof Numeral) found.set(path, value.text);
    else if (typeof value === "string" && value !== "") found.set(path, value);
    else if (value !== null && value !== "") faults[path] = "must be text or a number";
  }
  if (Object.keys(faults).length > 0)
    throw new Failure("usage", "The draft has fields that a remittance has not.", { hint, details: faults });
  return found;
}

/** The specification's body with every field in its place and nothing in it but what is always the same. */
export function emptyDraft(): JsonObject {
  const body: JsonObject = { paymentDate: "", partnerReference: "" };
  for (const { path, standard = "" } of remittanceFields) put(body, path, standard);
  return body;
}

/** The body to send: amounts as the digits that were typed, optional fields left out where nothing is known. */
export function bodyOf(draft: Draft): JsonObject {
  const body: JsonObject = {};
  for (const path of madeFields) putText(body, path, draft.get(path));
  for (const { path, kind } of remittanceFields) {
    const text = draft.get(path);
    if (text !== undefined && kind === "amount" && isNumber(text)) put(body, path, new Numeral(text));
    else putText(body, path, text);
  }
  return body;
}

function isField(path: string): boolean {
  return madeFields.includes(path) || remittanceFields.some((field) => field.path === path);
}

function isNumber(text: string): boolean {
  return /^(0|[1-9]\d*)(\.\d+)?$/.test(text);
}

function putText(body: JsonObject, path: string, text: string | undefined): void {
  if (text !== undefined) put(body, path, text);
}

function put(body: JsonObject, path: string, value: JsonValue): void {
  const [first = "", second] = path.split(".");
  if (second === undefined) body[first] = value;
  else {
    const within = body[first];
    body[first] = { ...(isJsonObject(within) ? within : {}), [second]: value };
  }
}

function leaves(value: JsonObject, before = ""): [string, JsonValue][] {
  return Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] =>
    isJsonObject(inner) && before === "" ? leaves(inner, `${name}.`) : [[before + name, inner]],
  );
}

function parse(text: string): JsonValue {
  try {
    return decodeJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new Failure("usage", `The draft cannot be read. ${cause.message}`, { hint, cause });
  }
}
