import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import type { Row } from "./report.ts";

/** A row's own value under a name. Names can come from the service or a flag, so inherited properties don't count. */
export function valueIn(row: Row, name: string): JsonValue | undefined {
  const value = row[name];
  return isInherited(value) ? undefined : value;
}

/** True for what every object inherits: methods, and `Object.prototype` itself. */
function isInherited(value: unknown): boolean {
  return typeof value === "function" || value === Object.prototype;
}

/** A value as text, exactly as it came: digits stay digits, null is empty, lists and objects are compact JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return value instanceof Numeral ? value.text : JSON.stringify(value);
}
