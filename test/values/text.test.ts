import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isVisible, jsonVisible, quote, visible } from "../../src/values/text/text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 30 });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** Every character that must never reach a terminal or an eye unseen, by its code points, typed by hand. */
const dangerous = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0x00ad,
  0x034f,
  0x061c,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x2069),
  0x3164,
  0xfe0f,
  0xfeff,
  ...range(0xfff9, 0xfffb),
  ...range(0xd800, 0xdfff),
  ...range(0xe0001, 0xe007f),
];
const toText = (codePoint: number) => String.fromCodePoint(codePoint);

test("control characters, line separators, bidi controls, zero-width characters and tags become escapes", () => {
  for (const codePoint of dangerous) {
    expect(visible(`a${toText(codePoint)}b`)).toMatch(/^a\\(?:[nrt]|u[0-9a-f]{4}(?:\\u[0-9a-f]{4})?)b$/);
  }
});

test("escapes name the character", () => {
  expect(visible("a\nb\tc\rd")).toBe(String.raw`a\nb\tc\rd`);
  expect(visible("\u001b[31mred\u001b[0m")).toBe(String.raw`\u001b[31mred\u001b[0m`);
  expect(visible("pay\u202egnp.exe")).toBe(String.raw`pay\u202egnp.exe`);
  expect(visible("\u{e0041}")).toBe(String.raw`\udb40\udc41`);
  expect(visible("\ud83d")).toBe(String.raw`\ud83d`);
});

test.each([
  "",
  "rent",
  String.raw`C:\new\table`,
  "Malipo ya kodi – Zoë",
  "名前",
  "اسم",
  "😀",
  "e\u0301",
  "\u00a0",
  "𝒳",
])("%j stays as it is", (text) => {
  expect(visible(text)).toBe(text);
  expect(isVisible(text)).toBe(true);
});

test("no invisible character is left, no visible one is lost, and a second time changes nothing", () => {
  const unseen = new Set(dangerous);
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text);
      expect(Array.from(shown).some((character) => unseen.has(character.codePointAt(0) ?? 0))).toBe(false);
      expect(visible(shown)).toBe(shown);
      expect(isVisible(shown)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a JSON text made visible has the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      const shown = jsonVisible(json);
      expect(JSON.parse(shown)).toEqual(JSON.parse(json));
      expect(isVisible(shown.replaceAll(/[\n\t]/g, ""))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a JSON text keeps its line breaks and its backslashes", () => {
  const json = JSON.stringify({ narration: "a\\\u200b\u0085\nb\u2028\u{e0041}" }, null, 2);
  expect(jsonVisible(json)).toBe(
    ["{", String.raw`  "narration": "a\\\u200b\u0085\nb\u2028\udb40\udc41"`, "}"].join("\n"),
  );
});

test("an invalid value is quoted visibly and in short", () => {
  expect(quote("1,000")).toBe('"1,000"');
  expect(quote("a\nb")).toBe(String.raw`"a\nb"`);
  expect(quote("😀".repeat(61))).toBe(`"${"😀".repeat(60)}…"`);
  expect(quote("x".repeat(60))).toBe(`"${"x".repeat(60)}"`);
});
