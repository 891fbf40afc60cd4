import { hash } from "node:crypto";

/** An id for a body without one, from its hash. */
export function nameOf(state: "quarantined" | "forged", body: Uint8Array): string {
  return `${state}-${hash("sha256", body, "hex").slice(0, 32)}`;
}

/**
 * Characters that a database would change: zero, lone surrogates, and the backslash of a text that looks like their escape.
 */
const unstorable = /\0|[\ud800-\udfff]|\\(?=u(?:0000|d[89a-f][0-9a-f]{2}|005c))/gu;
const spelt = /\\u(0000|d[89a-f][0-9a-f]{2}|005c)/g;

/**
 * Encodes a text for a database, which would cut it off at a zero character, or refuse it, and could not tell lone
 * surrogates apart. Two ids must not become one, so these characters are escaped as in JSON.
 */
export function storable(text: string): string {
  return text.replace(unstorable, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text);
}

/** Decodes a stored text. */
export function restored(text: string): string {
  return text.replace(spelt, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
