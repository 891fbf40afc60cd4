import * as fc from "fast-check";
import { expect, test } from "vitest";
import { elements } from "../../src/json/elements.ts";
import { JsonError } from "../../src/json/json-error.ts";
import { decodeJson } from "../../src/contract/wire.ts";
import type { JsonValue } from "../../src/values/json.ts";
import { Numeral } from "../../src/values/json.ts";
import { mutated, piecesOf } from "./wire-arbitraries.ts";

const names = ["tranRefNo", "valueDate", "amount $", "a.b", "1", "", "é", 'q"', "b\\s", "__proto__", "toString"];
const numbers = ["0", "-0", "7", "-12.50", "12345678901234567.10", "1e5", "2.5E-7", "-0.0e+0"];
const words = ["true", "false", "null"];

/** A string as one of many writers of JSON would write it. */
const strings = fc
  .tuple(fc.string({ unit: "binary", maxLength: 12 }), fc.boolean())
  .map(([text, plain]) => (plain ? JSON.stringify(text) : escaped(text)));

function escaped(text: string): string {
  const units = Array.from(text, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

const kinds = [strings, fc.constantFrom(...numbers), fc.constantFrom(...words)] as const;

/** Lists of records with the same members in the same order, with an exception now and then. */
const lists: fc.Arbitrary<string> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.nat(kinds.length - 1)), {
      minLength: 1,
      maxLength: 6,
      selector: ([name]) => name,
    }),
    fc.constantFrom("", " ", "\r\n\t"),
  )
  .chain(([members, blank]) => {
    const usual = fc
      .tuple(...members.map(([, kind]) => fc.oneof({ weight: 9, arbitrary: kinds[kind] ?? strings }, ...kinds)))
      .map((values) => members.map(([name], index) => `${JSON.stringify(name)}${blank}:${blank}${values[index]}`));
    const record = fc
      .tuple(usual, fc.nat(9), fc.nat())
      .map(([members, chance, at]) => {
        if (chance === 0) return members.filter((_, index) => index !== at % members.length);
        return chance === 1 ? [...members, ...members.slice(0, 1), '"nested":{"a":[1]}'] : members;
      })
      .map((members) => `{${blank}${members.join(`${blank},${blank}`)}${blank}}`);
    return fc
      .array(record, { minLength: 17, maxLength: 60, size: "max" })
      .map((records) => `[${blank}${records.join(`,${blank}`)}]`);
  });

/** The result of JSON.parse, with the digits of its numbers; undefined where it refuses the text. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, (_, value: unknown, context?: { readonly source: string }) =>
      typeof value === "number" ? new Numeral(context?.source ?? "") : value,
    );
  } catch {
    return undefined;
  }
}

async function read(pieces: readonly Uint8Array[]): Promise<JsonValue | undefined> {
  const list: JsonValue[] = [];
  try {
    const found = elements(pieces, []);
    for await (const batch of found) list.push(...batch);
    return found.rest.found ? list : found.rest.document;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Differences that `toEqual` does not see. */
function inOrder(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value);
}

/** Our result for the pieces and the result of JSON.parse for all of them, members in their order. */
async function bothOf(pieces: readonly Uint8Array[]): Promise<[unknown, unknown]> {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(pieces));
  const [mine, theirs] = [await read(pieces), parsed(text)];
  return [
    { value: mine, order: inOrder(mine) },
    { value: theirs, order: inOrder(theirs) },
  ];
}

function cut(texts: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array[]> {
  return texts.chain((text) => piecesOf(new TextEncoder().encode(text)));
}

test("the records of a list are read as by JSON.parse, with all digits, in any pieces", async () => {
  await fc.assert(
    fc.asyncProperty(cut(lists), async (pieces) => {
      const [mine, theirs] = await bothOf(pieces);
      expect(mine).toEqual(theirs);
    }),
  );
});

test("a list of records with damage is read as by JSON.parse, or refused by both", async () => {
  await fc.assert(
    fc.asyncProperty(cut(mutated(lists)), async (pieces) => {
      const [mine, theirs] = await bothOf(pieces);
      expect(mine).toEqual(theirs);
    }),
    { numRuns: 300 },
  );
});

const wrongNumbers = ["01", "-", "-01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1 2", "NaN", ""];
const wrongWords = ["nul", "nulll", "True", "'a'"];
const wrongTexts = [
  String.raw`"\x41"`,
  String.raw`"\u12"`,
  String.raw`"\u12g4"`,
  String.raw`"\"`,
  '"a',
  '"\t"',
  '"\u0000"',
  '"\n"',
  '"a""b"',
];

test.each([...wrongNumbers, ...wrongWords, ...wrongTexts])(
  "%j is refused as a value, whatever earlier records had in its place",
  async (value) => {
    for (const usual of ['"text"', "12.50", "true"]) {
      const records = Array.from({ length: 40 }, () => `{"a":1,"b":${usual},"c":"x"}`);
      const wrong = `{"a":1,"b":${value},"c":"x"}`;
      const bytes = new TextEncoder().encode(`[${[...records, wrong, ...records].join(",")}]`);
      expect(await read([bytes])).toBeUndefined();
    }
  },
);

test.each(["{a:1}", '{"a":1,}', '{"a" 1}', '{"a":1', '{"a":1}}', '{"a":1 "b":2}', '{,"a":1}', '{"a":1;"b":2}'])(
  "%s is refused as a record, whatever the earlier records were",
  async (wrong) => {
    for (const usual of ['{"a":1}', '{"a":1,"b":2}']) {
      const records = Array.from({ length: 40 }, () => usual);
      const bytes = new TextEncoder().encode(`[${[...records, wrong, ...records].join(",")}]`);
      expect(await read([bytes])).toBeUndefined();
    }
  },
);

test("an invalid UTF-8 byte spoils one character of one record", async () => {
  const wrongBytes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff })), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lists, wrongBytes, async (text, wrong) => {
      const bytes = new TextEncoder().encode(text);
      for (const [at, byte] of wrong) bytes[at % bytes.length] = byte;
      const half = Math.floor(bytes.length / 2);
      const [mine, theirs] = await bothOf([bytes.subarray(0, half), bytes.subarray(half)]);
      expect(mine).toEqual(theirs);
    }),
  );
});

test("a record may have any length, whatever comes before it", async () => {
  const records = Array.from({ length: 40 }, (_, index) => `{"id":${index},"text":"n"}`);
  const long = `{"id":40,"text":"${"é\\n\\u0041".repeat(100_000)}"}`;
  const bytes = new TextEncoder().encode(`[${[...records, long, ...records].join(",")}]`);
  const [mine, theirs] = await bothOf([bytes]);
  expect(mine).toEqual(theirs);
});

test("a document may be a text longer than any pattern could match", () => {
  const records = Array.from({ length: 40 }, (_, index) => `{"id":${index},"text":"n"}`);
  const text = "é".repeat(4 * 1_048_576);
  const read = decodeJson(`[${[...records, `{"id":40,"text":"${text}"}`].join(",")}]`);
  expect(Array.isArray(read) && read.at(-1)).toEqual({ id: new Numeral("40"), text });
});
