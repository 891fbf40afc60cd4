import { hash } from "node:crypto";

/** Bodies without an id of their own are told apart by what is in them. */
export function nameOf(state: "quarantined" | "forged", body: Uint8Array): string {
  return `${state}-${hash("sha256", body, "hex").slice(0, 32)}`;
}

/**
 * What no database keeps as it is: a zero character, half a character, and the backslash of what is spelt like these.
 */
const unstorable = /\0|[\ud800-\udfff]|\\(?=u(?:0000|d[89a-f][0-9a-f]{2}|005c))/gu;
const spelt = /\\u(0000|d[89a-f][0-9a-f]{2}|005c)/g;

/**
 * A text as a database keeps it. It would cut one off at a zero character, or refuse it, and take any half of a
 * character for any other; two ids must not become one: such characters are spelt like JSON does.
 */
export function storable(text: string): string {
  return text.replace(unstorable, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text);
}

/** The text that was stored so. */
export function restored(text: string): string {
  return text.replace(spelt, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
