import type { JsonValue } from "../values/json.ts";
import { JsonReader } from "../json/reader.ts";

/**
 * Decodes a JSON text exactly: what `JSON.parse` takes and nothing else, but with every number's digits kept and no
 * more than `depthMax` arrays and objects inside each other.
 * @throws {JsonError} if it is not such a text; the message never quotes it.
 */
export function decodeJson(text: string): JsonValue {
  return decode(text, new JsonReader());
}

/**
 * The same for what money or a proof rests on, such as answers, drafts of orders and exported history: an object that
 * repeats a member, on any level and in any spelling, contradicts itself, and is refused where `JSON.parse` takes the last.
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
