import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import type { Row } from "./report.ts";

/**
 * A row as one line of text that gives the same row back, for the time that it spends in a temporary file: JSON whose
 * texts start with `s` and whose numbers are texts that start with `n`, so that no digit passes through a double.
 */
export function packRow(row: Row): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, pack(value)])));
}

/** The row of a line that `packRow` made. */
export function unpackRow(line: string): JsonObject {
  const packed: JsonValue = JSON.parse(line);
  const row = unpack(packed);
  return isJsonObject(row) ? row : {};
}

function pack(value: JsonValue | undefined): unknown {
  if (typeof value === "string") return `s${value}`;
  if (value instanceof Numeral) return `n${value.text}`;
  if (Array.isArray(value)) return value.map(pack);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, pack(part)]))
    : value;
}

function unpack(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.startsWith("n") ? new Numeral(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map(unpack);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unpack(part)]))
    : value;
}
