import type { JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import type { Row } from "./report.ts";

/** What a row holds under a name. Names can come from the service or from a flag: inherited ones do not count. */
export function valueIn(row: Row, name: string): JsonValue | undefined {
  return inherited.has(name) && !Object.hasOwn(row, name) ? undefined : row[name];
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A value as text, exactly as it came: digits stay digits, null is empty, lists and objects are compact JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return value instanceof Numeral ? value.text : JSON.stringify(value);
}
