import type { JsonObject, JsonValue } from "../values/json.ts";

/** Adds a member as `JSON.parse` does: always as an own property, and the last of equal names wins. */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}
