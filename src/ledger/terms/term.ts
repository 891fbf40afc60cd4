import { folded } from "../../values/text/folded.ts";
import type { Decimal } from "../../values/money/decimal.ts";

/** A hash of something that a row can be found by, below 2 ** 28. Collisions are rare. */
export type Term = number;
/** One more than any term. */
export const termsEnd = 2 ** 28;

/** Sets of terms: a row matches if it has all terms of one of them. */
export type Sought = readonly (readonly Term[])[];

/** The kind of a text counts, too: an amount of 2026 is not the word 2026. */
export const starts = {
  id: 0x811c9dc5 | 0,
  word: 0x2f0b4c47 | 0,
  symbol: 0x6a1d93e5 | 0,
  amount: 0x1c6ef372 | 0,
  phone: 0x3f84d5b5 | 0,
} as const;

const [prime, spread] = [0x01000193, 0x85ebca6b];

/** Adds a UTF-16 unit of a text to a hash that began with one of `starts`; `termFrom` ends it. */
export function further(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, prime);
}

export function termFrom(hash: number): Term {
  let mixed = Math.imul(hash ^ (hash >>> 15), spread);
  mixed = Math.imul(mixed ^ (mixed >>> 13), prime);
  return (mixed ^ (mixed >>> 16)) >>> 4;
}

export function termOf(kind: keyof typeof starts, text: string): Term {
  let hash: number = starts[kind];
  for (let at = 0; at < text.length; at += 1) hash = further(hash, text.charCodeAt(at));
  return termFrom(hash);
}

/** The term of an id, in upper or lower case. */
export function idTerm(id: string): Term {
  return termOf("id", folded(id));
}

/** The term of an amount: the same for 5 and 5.00, and for money in and out. */
export function amountTerm(amount: Decimal): Term {
  return termOf("amount", amountText(amount));
}

/** The text that an amount is found by. */
export function amountText(amount: Decimal): string {
  return amount.abs().trimmed();
}
