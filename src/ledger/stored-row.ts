import { decodeJson } from "../contract/wire.ts";
import { DamageError } from "../storage/failures.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";

/**
 * Parses a stored row: JSON text with the service's own digits.
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

/** Gives what `JSON.stringify` does in a third of the time, for rows whose numbers keep their digits. */
export function encodeRow(row: JsonObject): string {
  let text = "{";
  for (const name in row) {
    const value = row[name];
    if (value === undefined) continue;
    text += `${text === "{" ? "" : ","}${encodeName(name)}${typeof value === "string" ? encodeText(value) : encodeValue(value)}`;
  }
  return `${text}}`;
}

/** Encoded member names with their colons: all rows of a statement have the same names. */
const encodedNames = new Map<string, string>();
/** More names than any statement has: a strange answer must not fill the memory. */
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
