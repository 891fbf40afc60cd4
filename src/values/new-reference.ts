import type { Day } from "./time/day.ts";

/** Crockford's base 32: no letter looks like a digit. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** One byte for each letter, of which 5 bits count. */
export const newReferenceBytes = 10;

/**
 * A new, unique reference for an order without one: the kind's letter, the day, and 50 random bits in letters that are
 * easy to read aloud.
 */
export function newReference(kind: "T" | "W" | "C" | "R" | "P", day: Day, random: Uint8Array): string {
  const letters = Array.from(random.subarray(0, newReferenceBytes), (byte) => alphabet.charAt(byte % alphabet.length));
  return `${kind}${day.toString().slice(2).replaceAll("-", "")}${letters.join("")}`;
}
