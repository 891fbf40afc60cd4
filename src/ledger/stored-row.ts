import { decodeJson } from "../contract/wire.ts";
import { DamageError } from "../storage/failures.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";

/**
 * A row as stored: JSON text with the service's own digits.
 * @throws {DamageError} for any other text
 */
export function decodeRow(text: string): JsonObject {
  try {
    const row = decodeJson(text);
    if (isJsonObject(row)) return row;
  } catch (error) {
    throw new DamageError("a row is not JSON", { cause: error });
  }
  throw new DamageError("a row isn't an object");
}

/** Texts that need no escapes in JSON. */
const plainText = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

/** The same as `JSON.stringify`, in a third of the time that it takes for numbers whose digits are kept. */
export function encodeRow(row: JsonObject): string {
  let text = "{";
  for (const name in row) {
    const value = row[name];
    if (value === undefined) continue;
    text += `${text === "{" ? "" : ","}${encodeName(name)}${typeof value === "string" ? encodeText(value) : encodeValue(value)}`;
  }
  return `${text}}`;
}

/** Names of members, with their colon. All rows of a statement have the same ones. */
const encodedNames = new Map<string, string>();
/** More different names than any statement has: an answer with others must not fill the memory. */
const encodedNamesMax = 100;

function encodeName(name: string): string {
  const known = encodedNames.get(name);
  if (known !== undefined) return known;
  const encoded = `${encodeText(name)}:`;
  if (encodedNames.size < encodedNamesMax) encodedNames.set(name, encoded);
  return encoded;
}

function encodeText(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}

function encodeValue(value: JsonValue): string {
  return value instanceof Numeral ? value.text : JSON.stringify(value);
}
