import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PatternError, readPattern } from "../../src/rules/pattern/pattern.ts";

const shorthands = [String.raw`\d`, String.raw`\w`, String.raw`\s`];
/** Escapes and hyphens between brackets: shorthands, a hyphen without a range, an escaped end of a class. */
const classes = String.raw`[\d] [^\w] [\s\d] [b\d] [\db] [a\-c] [\-b] [\]a] [-a] [a-] [B] [A-C]`.split(" ");
const atoms = ["a", "b", "[ab]", "[^a]", "[a-c]", ".", "x", ...shorthands, ...classes];
const places = [String.raw`\b`, String.raw`\B`, "^", "$"];
const repeats = ["", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{1,}", "*?"];

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...places),
    fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...repeats)).map((parts) => parts.join("")),
    fc.tuple(tie("pattern"), tie("pattern")).map((parts) => parts.join("")),
    fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(${one}|${other})`),
    fc.tuple(tie("pattern"), fc.constantFrom(...repeats)).map(([one, repeat]) => `(?:${one})${repeat}`),
  ),
}));
const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "x", "1", " ", "-", "B"), maxLength: 12 });

test("a pattern finds the same as JavaScript's own engine, ignoring case", () => {
  fc.assert(
    fc.property(pattern, texts, (source, text) => {
      expect(readPattern(source)(text)).toBe(new RegExp(source, "i").test(text));
    }),
    { numRuns: 2000 },
  );
});

test.for(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{1,}"])(
  "a pattern with %s matches the same number of letters as in JavaScript's own engine",
  (repeat) => {
    const source = `^xa${repeat}$`;
    for (const text of Array.from({ length: 6 }, (_, count) => `x${"a".repeat(count)}`))
      expect([text, readPattern(source)(text)]).toEqual([text, new RegExp(source).test(text)]);
  },
);

test.each([
  ["(a", 3, "a ( without its )"],
  ["a)", 2, "a ) without its ("],
  ["[a", 1, "a [ without its ]"],
  ["a[]", 2, "a [ ] that is empty"],
  ["[b-a]c", 1, "a range that ends before it begins"],
  ["a**", 3, "a repetition of a repetition"],
  ["*a", 1, "nothing comes before *"],
  ["a{2", 3, "a { without a number such as {2}, {2,} or {2,5}"],
  ["a{999}", 3, "a repetition of more than 100 times"],
  ["(?<=a)b", 2, "it looks ahead, looks behind or names a group"],
  [String.raw`(a)\1`, 5, "it refers back"],
  [String.raw`\q`, 2, "means nothing here"],
  ["((a{100}){100}){100}", 15, "it has more than 2000 steps"],
  ["", 1, "it is empty"],
])("%s isn't a valid pattern, and the error has its column", (source, column, what) => {
  const read = () => readPattern(source);
  expect(read).toThrow(PatternError);
  expect(read).toThrow(expect.objectContaining({ column, message: expect.stringContaining(what) }));
});
