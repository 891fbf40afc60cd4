import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import type { Row } from "./report.ts";

/** What a row holds under a name. Names can come from the service or from a flag: inherited ones do not count. */
export function valueIn(row: Row, name: string): JsonValue | undefined {
  const value = row[name];
  return isInherited(value) ? undefined : value;
}

/** What every object has without holding it: methods, and the object that they are taken from. */
function isInherited(value: unknown): boolean {
  return typeof value === "function" || value === Object.prototype;
}

/** A value as text, exactly as it came: digits stay digits, null is empty, lists and objects are compact JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return value instanceof Numeral ? value.text : JSON.stringify(value);
}
