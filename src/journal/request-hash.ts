import { hash } from "node:crypto";
import { decodeJson, encodeJson } from "../contract/wire.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";

/**
 * What makes two requests the same one: their fields whatever the order, each number by its digits, without those at
 * the top that the clock or chance filled in.
 * @throws {JsonError} for a text that is no JSON
 */
export function hashRequest(request: string, volatile: readonly string[] = []): string {
  const value = decodeJson(request);
  const left = isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !volatile.includes(name)))
    : value;
  return sha256(encodeJson(sortFields(left)));
}

export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

function sortFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => sortFields(item));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortFields(value[name] ?? null)]));
}
