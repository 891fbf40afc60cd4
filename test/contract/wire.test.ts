import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JsonError } from "../../src/json/json-error.ts";
import { depthMax } from "../../src/json/reader.ts";
import { decodeJson, encodeJson } from "../../src/contract/wire.ts";
import { Numeral } from "../../src/values/json.ts";
import type { JsonValue } from "../../src/values/json.ts";
import { jsonTexts, mutated, outcomeOf, withDoubles } from "./wire-arbitraries.ts";

test.each([
  "0",
  "-0",
  "4500000.00",
  "1950000.15",
  "12345678901234567.10",
  "12345678901234567890123456789012345678901234567890",
  "0.1000",
  "1e5",
  "1E+05",
  "-1.50e-007",
  "1e999999",
])("the number %s keeps its digits", (digits) => {
  expect(decodeJson(`[${digits}]`)).toEqual([new Numeral(digits)]);
  expect(encodeJson(decodeJson(digits))).toBe(digits);
});

test.each(["01", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x1", "--1", "1_0", "Infinity", "NaN", "1 2", "-a", "٣"])(
  "%s isn't a number",
  (text) => {
    expect(() => decodeJson(text)).toThrow(JsonError);
    expect(() => decodeJson(`[${text}]`)).toThrow(JsonError);
  },
);

test.each([
  "",
  " ",
  "[",
  "]",
  "{",
  "}",
  "[1,]",
  "[,1]",
  "[1 2]",
  '{"a":1,}',
  '{"a"}',
  '{"a" 1}',
  "{a:1}",
  "{1:1}",
  '{"a":1 "b":2}',
  "[1}",
  '{"a":1]',
  "true false",
  "tru",
  "True",
  "undefined",
  "'a'",
  '"a',
  '"a\nb"',
  '"\t"',
  String.raw`"\x41"`,
  String.raw`"\u12"`,
  String.raw`"\u 123"`,
  String.raw`"\u+123"`,
  String.raw`"\uD83D`,
  '"\\',
  "// a comment\n1",
  "1 // a comment",
  "\u00a01",
  "\u20281",
  "\f1",
  "\ufeff1",
  "1\0",
])("%j is refused, as by JSON.parse", (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(() => decodeJson(text)).toThrow(JsonError);
});

test.each([
  [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
  [String.raw`"\u0041\u00e9\u20AC"`, "Aé€"],
  [String.raw`"\ud83d\ude00"`, "😀"],
  [String.raw`"\ud800"`, "\ud800"],
  [String.raw`"\udc00\ud800x"`, "\udc00\ud800x"],
  ['"\ud800"', "\ud800"],
  ['"é€😀\u2028\u007f\ufeff"', "é€😀\u2028\u007f\ufeff"],
  ['""', ""],
])("the string %s is read as by JSON.parse", (text, meaning) => {
  expect(JSON.parse(text)).toBe(meaning);
  expect(decodeJson(text)).toBe(meaning);
  expect(decodeJson(`{${text}:${text}}`)).toEqual({ [meaning]: meaning });
});

test("white space is allowed around everything", () => {
  expect(decodeJson(' \n\r\t{ "a" : [ 1 , null , true ] , "b" : { } , "c" : [ ] } \n')).toEqual({
    a: [new Numeral("1"), null, true],
    b: {},
    c: [],
  });
});

test("the last of equal names wins, in the place of the first one", () => {
  expect(encodeJson(decodeJson('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
});

test("an inherited name such as __proto__ is an ordinary member", () => {
  const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":null,"hasOwnProperty":[],"toJSON":"x"}';
  const value = decodeJson(text);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(Object(value))).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty", "toJSON"]);
  expect("polluted" in Object(value)).toBe(false);
  expect(encodeJson(value)).toBe(text);
});

test("a name with quotes in it is not confused with a shorter name and the text after it", () => {
  const text = String.raw`[{"a\":1":1,"b":2},{"a":1,"b":2},{"a\":1":3,"b" :4},{"a":1,"b":5}]`;
  expect(withDoubles(decodeJson(text))).toEqual(JSON.parse(text));
});

function nested(depth: number): string {
  return '[{"a":'.repeat(depth / 2) + "0" + "}]".repeat(depth / 2);
}

test("arrays and objects may be nested to the maximum depth and no deeper", () => {
  expect(encodeJson(decodeJson(nested(depthMax)))).toBe(nested(depthMax));
  const tooDeep = `more than ${depthMax} arrays and objects inside each other`;
  expect(() => decodeJson(`[${nested(depthMax)}]`)).toThrow(tooDeep);
  expect(() => decodeJson(`{"a":${nested(depthMax)}}`)).toThrow(tooDeep);
  expect(() => decodeJson("[".repeat(1_000_000))).toThrow(tooDeep);
});

test.each(['{"pin":"hunter2"', '{"hunter2"', "[hunter2]", String.raw`"hunter2\q"`, '"hunter2\n"', "1 hunter2"])(
  "the error of %s does not quote it",
  (text) => {
    expect(() => decodeJson(text)).toThrow(/^Not the JSON we take, at position \d+: (?!.*hunter2)/);
  },
);

test("an error names its position and what was expected", () => {
  expect(() => decodeJson('{"a":[1,2 3]}')).toThrow(
    "Not the JSON we take, at position 10: wanted a comma or the array's end.",
  );
  expect(() => decodeJson('{"a":[1,2')).toThrow("at position 9: the text ends, wanted a comma or the array's end.");
});

test("pretty puts each member on a line of its own, with two spaces", () => {
  expect(encodeJson(decodeJson('{"a":[1.00,{}],"b":""}'), { pretty: true })).toBe(
    '{\n  "a": [\n    1.00,\n    {}\n  ],\n  "b": ""\n}',
  );
});

test("every text written by JSON.stringify is read and written back unchanged", () => {
  fc.assert(
    fc.property(jsonTexts, (text) => {
      const value: JsonValue = decodeJson(text);
      expect(withDoubles(value)).toEqual(JSON.parse(text));
      expect(encodeJson(value)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("a text with random damage is read as by JSON.parse, or refused by both", () => {
  fc.assert(
    fc.property(mutated(jsonTexts), (text) => {
      expect(outcomeOf(() => withDoubles(decodeJson(text)), JsonError)).toEqual(
        outcomeOf(() => JSON.parse(text), SyntaxError),
      );
    }),
    { numRuns: 2_000 },
  );
});
