import * as fc from "fast-check";
import { expect, test } from "vitest";
import { elements } from "../../src/json/elements.ts";
import type { Rest } from "../../src/json/elements.ts";
import { JsonError } from "../../src/json/json-error.ts";
import { setMember } from "../../src/json/member.ts";
import { decodeJson, encodeJson } from "../../src/contract/wire.ts";
import { isJsonObject, Numeral } from "../../src/values/json.ts";
import type { JsonValue } from "../../src/values/json.ts";
import { jsonTexts, mutated, outcomeOf, piecesOf } from "./wire-arbitraries.ts";

const statementPath = ["result", "statement"];
const statement = `{"success":true,"result":{"accountNo":"0560066551200","statement":[
  {"tranRefNo":"X50jcLD-U","narration":"PAYMENT, \\"rent\\" … \\u00e9\\ud83d\\ude00 😀","amountDebited":"","balance":12345678901234567.10},
  {"tranRefNo":"X50jcLD-V","narration":"","amountDebited":4500.00,"balance":-0,"meta":{"a":[null,true,false,1e5]}}
],"currency":"TZS"},"timestamp":"2026-10-01"}
`;

async function read(pieces: Iterable<Uint8Array>, path: readonly string[]): Promise<{ list: JsonValue[]; rest: Rest }> {
  const found = elements(pieces, path);
  const list: JsonValue[] = [];
  for await (const batch of found) {
    expect(batch).not.toEqual([]);
    list.push(...batch);
  }
  return { list, rest: found.rest };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function bytewise(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

/** A document with a list put into it at the path. */
function withList(document: JsonValue | undefined, path: readonly string[], list: JsonValue): JsonValue {
  const [name, ...inner] = path;
  if (name === undefined) return list;
  const object = isJsonObject(document) ? { ...document } : {};
  setMember(object, name, withList(object[name], inner, list));
  return object;
}

/** The whole document, read through `elements`. */
async function readWhole(pieces: Iterable<Uint8Array>, path: readonly string[]): Promise<unknown> {
  const { list, rest } = await read(pieces, path);
  return rest.found ? withList(rest.document, path, list) : rest.document;
}

/** The result of `outcomeOf` for `decodeJson`, or `ambiguous` where the two may differ. */
async function outcomeOfElements(pieces: Iterable<Uint8Array>, path: readonly string[]): Promise<unknown> {
  try {
    return { value: await readWhole(pieces, path) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.message.includes("stands twice") ? "ambiguous" : "refused";
  }
}

test("a list is read in one batch for each piece, and then everything around it", async () => {
  const found = elements(
    ['{"statusCode":"SUCCESS","result":{"statement":[1.00,', '2,3],"accountNo":"056"}', "}"].map(bytesOf),
    statementPath,
  );
  const batches: string[] = [];
  for await (const batch of found) batches.push(encodeJson(batch));
  expect(batches).toEqual(["[1.00]", "[2,3]"]);
  expect(found.rest).toEqual({ found: true, document: { statusCode: "SUCCESS", result: { accountNo: "056" } } });
});

test("a document that is itself the list has nothing around it", async () => {
  expect(await read([bytesOf(' [ "a" , {} ] ')], [])).toEqual({
    list: ["a", {}],
    rest: { found: true, document: undefined },
  });
});

test.each([
  ["[]", []],
  ['{"result":{"statement":[ ]}}', statementPath],
])("an empty list is found, without any batch", async (text, path) => {
  expect(await read(bytewise(bytesOf(text)), path)).toMatchObject({ list: [], rest: { found: true } });
});

test.each([
  '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"startDate":"is required"}}',
  '{"result":null}',
  '{"result":[{"statement":[1]}]}',
  '{"result":{"statement":null}}',
  '{"result":{"statement":{"statement":[1]}}}',
  '{"statement":[1],"other":{"result":{"statement":[1]}}}',
  "[]",
  '"text"',
  "null",
  "12.0",
])("without an array at the path, %s is the whole result", async (text) => {
  for (const pieces of [[bytesOf(text)], bytewise(bytesOf(text))]) {
    expect(await read(pieces, statementPath)).toEqual({ list: [], rest: { found: false, document: decodeJson(text) } });
  }
});

test("the result is the same wherever the document is cut in two", async () => {
  const bytes = bytesOf(statement);
  const whole = await read([bytes], statementPath);
  expect(withList(whole.rest.document, statementPath, whole.list)).toEqual(decodeJson(statement));
  for (let at = 0; at <= bytes.length; at++) {
    expect(await read([bytes.subarray(0, at), bytes.subarray(at)], statementPath)).toEqual(whole);
  }
  expect(await read(bytewise(bytes), statementPath)).toEqual(whole);
});

test.each(['[10, 1.25e-17,-0.50 ,1E+25,null,true,"ab"]', " -12.50e+10 ", "120", "false", '"ab"'])(
  "%s is the same wherever it is cut in three",
  async (text) => {
    const bytes = bytesOf(text);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect(await readWhole(pieces, [])).toEqual(decodeJson(text));
      }
    }
  },
);

test("a document that ends too early is refused, wherever it ends", async () => {
  const bytes = bytesOf(statement.trimEnd());
  for (let length = 0; length < bytes.length; length++) {
    const cut = bytes.subarray(0, length);
    await expect(read([cut], statementPath)).rejects.toThrow(JsonError);
    await expect(read(bytewise(cut), statementPath)).rejects.toThrow(JsonError);
  }
  for (let length = 0; length < statement.trimEnd().length; length++) {
    expect(() => decodeJson(statement.slice(0, length))).toThrow(JsonError);
  }
});

test.each([
  ["behind the document", '{"result":{"statement":[1]}} x'],
  ["behind the list", '{"result":{"statement":[1]x}}'],
  ["between elements", '{"result":{"statement":[1 2]}}'],
  ["behind the last comma", '{"result":{"statement":[1,]}}'],
  ["before the first comma", '{"result":{"statement":[,1]}}'],
  ["before the list", '{"a":[1,],"result":{"statement":[1]}}'],
  ["in an object behind the list", '{"result":{"statement":[1],"a":{]}}}'],
  ["at the end", '{"result":{"statement":[1]}]'],
  ["before everything, as a byte order mark", '\ufeff{"result":{"statement":[1]}}'],
])("text that isn't JSON %s is refused", async (_, text) => {
  await expect(read([bytesOf(text)], statementPath)).rejects.toThrow(JsonError);
  await expect(read(bytewise(bytesOf(text)), statementPath)).rejects.toThrow(JsonError);
});

test.each([
  ['{"result":{"statement":[1],"statement":[2]}}'],
  ['{"result":{"statement":[1],"statement":null}}'],
  ['{"result":{"statement":[1]},"result":null}'],
])("%s is refused: its list would be known too late", async (text) => {
  await expect(read([bytesOf(text)], statementPath)).rejects.toThrow("a name that leads to the list occurs twice");
});

test.each([
  ['{"result":1,"result":{"statement":[1]}}'],
  ['{"result":{"statement":null,"statement":[1],"a":2}}'],
  ['{"result":{"statement":{},"x":1},"result":{"statement":[1]}}'],
])("in %s the last of equal names counts, as for JSON.parse", async (text) => {
  expect(await read([bytesOf(text)], statementPath)).toMatchObject({ list: [new Numeral("1")], rest: { found: true } });
  expect(await readWhole([bytesOf(text)], statementPath)).toEqual(decodeJson(text));
});

test("inherited names such as __proto__ are ordinary members, on the path too", async () => {
  const text = '{"__proto__":{"constructor":[{"__proto__":1}],"a":1}}';
  const found = await read([bytesOf(text)], ["__proto__", "constructor"]);
  expect(encodeJson(found.list)).toBe('[{"__proto__":1}]');
  expect(encodeJson(found.rest.document ?? "")).toBe('{"__proto__":{"a":1}}');
});

test("a byte order mark within a string is a character of it", async () => {
  expect(await read([bytesOf('["\ufeffa","\\n\ufeff"]')], [])).toMatchObject({ list: ["\ufeffa", "\n\ufeff"] });
});

test.each([
  ["a lone continuation byte", [0x80]],
  ["a character cut short", [0xe2, 0x82]],
  ["an overlong slash", [0xc0, 0xaf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a character beyond the last", [0xf4, 0x90, 0x80, 0x80]],
  ["a byte that UTF-8 does not have", [0xff]],
])("%s in a string is marked, and anywhere else it is refused", async (_, bytes) => {
  const documentOf = (before: string, behind: string) =>
    Buffer.concat([bytesOf(before), Uint8Array.from(bytes), bytesOf(behind)]);
  for (const [before, behind] of [
    ['[{"a":"', '"}]'],
    ['[{"', '":1}]'],
    ['["é\\n', '\\n"]'],
  ] as const) {
    const document = documentOf(before, behind);
    const { list } = await read([document], []);
    expect(list).toEqual(decodeBytes(document));
    expect(encodeJson(list)).toContain("\ufffd");
    expect(await read(bytewise(document), [])).toMatchObject({ list });
  }
  for (const [before, behind] of [
    ["[", "]"],
    ["[] ", ""],
  ] as const) {
    await expect(read([documentOf(before, behind)], [])).rejects.toThrow(JsonError);
    await expect(read(bytewise(documentOf(before, behind)), [])).rejects.toThrow(JsonError);
  }
});

const documents = fc
  .record({ before: jsonTexts, list: fc.array(jsonTexts, { maxLength: 4 }), behind: jsonTexts })
  .map(({ before, list, behind }) => `{"a":${before}, "result": {"list":[${list.join(" ,")}] ,"b":1},"c":${behind}}`);

function cutSomewhere(texts: fc.Arbitrary<string>): fc.Arbitrary<[string, Uint8Array[]]> {
  return texts.chain((text) => fc.tuple(fc.constant(text.toWellFormed()), piecesOf(bytesOf(text))));
}

test("any document in any pieces is read as by decodeJson", async () => {
  await fc.assert(
    fc.asyncProperty(cutSomewhere(documents), async ([text, pieces]) => {
      const whole = decodeJson(text);
      expect(await readWhole(pieces, ["result", "list"])).toEqual(whole);
      expect(await readWhole(pieces, ["c"])).toEqual(whole);
      expect(await readWhole(pieces, [])).toEqual(whole);
    }),
  );
});

test("any document with random damage, in any pieces, is read as by decodeJson, or refused by both", async () => {
  await fc.assert(
    fc.asyncProperty(cutSomewhere(mutated(documents)), async ([text, pieces]) => {
      const outcome = await outcomeOfElements(pieces, ["result", "list"]);
      fc.pre(outcome !== "ambiguous");
      expect(outcome).toEqual(outcomeOf(() => decodeJson(text), JsonError));
    }),
    { numRuns: 1_000 },
  );
});

test("any replaced bytes are read as in text that is decoded first, or refused by both", async () => {
  const bytes = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 3 }) });
  const damaged = fc.tuple(documents, bytes).map(([text, { at, bytes }]) => {
    const document = bytesOf(text);
    document.set(bytes, at % (document.length - 3));
    return document;
  });
  await fc.assert(
    fc.asyncProperty(
      damaged.chain((bytes) => fc.tuple(fc.constant(bytes), piecesOf(bytes))),
      async ([bytes, pieces]) => {
        const outcome = await outcomeOfElements(pieces, ["result", "list"]);
        fc.pre(outcome !== "ambiguous");
        expect(outcome).toEqual(outcomeOf(() => decodeBytes(bytes), JsonError));
      },
    ),
    { numRuns: 300 },
  );
});

function decodeBytes(bytes: Uint8Array): JsonValue {
  return decodeJson(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}

test("the document around the list is not available before the list is read", () => {
  const found = elements([bytesOf("[]")], []);
  expect(() => found.rest).toThrow("known when the list is read to its end");
});
