import * as fc from "fast-check";
import { Numeral } from "../../src/values/json.ts";
import type { JsonValue } from "../../src/values/json.ts";

/** JSON texts of any shape, compact or with white space, with any character in their strings. */
export const jsonTexts: fc.Arbitrary<string> = fc
  .tuple(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), fc.constantFrom("", " ", "\t", "\r\n"))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent));

/** The parts of damage: everything with a meaning in JSON, and a few things without one. */
const damage = fc.constantFrom(
  ...'{}[]:,"\\/ \t\n\r\b0123456789.eE+-untrfalsbx'.split(""),
  "\u00e9",
  "\ufeff",
  "\ud800",
  "\\u",
  "\\ud800",
  '\\"',
  "null",
  '"a":',
  '"__proto__":',
);

/** Texts with a few characters inserted, removed or replaced. */
export function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.nat(), removed: fc.nat(2), inserted: fc.oneof(damage, fc.constant("")) });
  return fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((text, { at, removed, inserted }) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + removed);
    }, text),
  );
}

/** What `JSON.parse` would have returned: its numbers are doubles. */
export function withDoubles(value: JsonValue): unknown {
  if (value instanceof Numeral) return Number(value.text);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]));
}

/** The outcome, to compare with another outcome; an error of another kind is passed on. */
export function outcomeOf(act: () => unknown, refusal: new (...args: never[]) => Error): unknown {
  try {
    return { value: act() };
  } catch (error) {
    if (error instanceof refusal) return "refused";
    throw error;
  }
}

/** The same bytes cut into pieces, of which some may be empty. */
export function piecesOf(bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 12, size: "max" }).map((cuts) => {
    const ends = [...cuts.toSorted((one, other) => one - other), bytes.length];
    return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
  });
}
