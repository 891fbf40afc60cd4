import type { JsonValue } from "../values/json.ts";
import { JsonReader } from "../json/reader.ts";

/**
 * Decodes a JSON text exactly: it accepts what `JSON.parse` accepts and nothing else, but keeps every number's digits,
 * and allows no more than `depthMax` nested arrays and objects.
 * @throws {JsonError} for any other text; the message never quotes it
 */
export function decodeJson(text: string): JsonValue {
  return decode(text, new JsonReader());
}

/**
 * The same for texts that money or proofs depend on, such as answers, drafts of orders and exported history. An object
 * that repeats a member, on any level and however it is escaped, is refused, where `JSON.parse` would use the last one.
 * @throws {JsonError} as above | {RepeatedName}
 */
export function decodeClaim(text: string): JsonValue {
  return decode(text, new JsonReader({ namesOnce: true }));
}

function decode(text: string, reader: JsonReader): JsonValue {
  reader.load({ text, isAll: true, isBytes: false, offset: 0 });
  const value = reader.value(0);
  reader.end();
  return value;
}

/** Encodes a value as JSON, numbers with their own digits; `pretty` gives each member a line of its own. */
export function encodeJson(value: JsonValue, options: { readonly pretty?: boolean } = {}): string {
  return JSON.stringify(value, undefined, options.pretty === true ? 2 : undefined);
}
