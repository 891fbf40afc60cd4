import { expect, test } from "vitest";
import { elementMaxBytes, elements, restMaxBytes } from "../../src/json/elements.ts";
import { JsonError } from "../../src/json/json-error.ts";
import { depthMax } from "../../src/json/reader.ts";

const pieceBytes = 65_536;

/** An endless source, which counts the bytes taken from it and knows whether it was closed. */
class Endless {
  takenBytes = 0;
  isClosed = false;
  readonly #pieces: readonly [Buffer, Buffer];

  constructor(start: string, repeated: string) {
    this.#pieces = [Buffer.from(start), Buffer.from(repeated.repeat(pieceBytes / Buffer.byteLength(repeated)))];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const [start, piece] = this.#pieces;
    try {
      yield start;
      for (;;) {
        this.takenBytes += piece.length;
        yield piece;
      }
    } finally {
      this.isClosed = true;
    }
  }
}

async function drain(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: readonly string[] = [],
): Promise<number> {
  let count = 0;
  for await (const batch of elements(pieces, path)) count += batch.length;
  return count;
}

/** The text in pieces of this size. */
function* cut(text: string, bytes: number): Generator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

test.each([
  ["white space before the document", "", " "],
  ["white space before the list", '{"list": ', "\n"],
  ["members before the list", '{"a":1', ',"a":1'],
  ["a document without the list", '{"list":{"a":[0', ",0"],
  ["white space before an element", '{"list":[1, ', "\t"],
  ["a string", '{"list":["', "a"],
  ["a string with escapes", '{"list":["', String.raw`\n`],
  ["a string of other characters", '{"list":["', "é"],
  ["a name", '{"list":[{"', "a"],
  ["a number", '{"list":[1', "1"],
  ["an element that is a list", '{"list":[[0', ",0"],
  ["white space behind the list", '{"list":[1]', " "],
  ["members behind the list", '{"list":[1],"b":1', ',"b":1'],
  ["white space behind the document", '{"list":[1]}', "\r\n"],
])("%s without end is refused soon, and the source is closed", async (_, start, repeated) => {
  const source = new Endless(start, repeated);
  await expect(drain(source, ["list"])).rejects.toThrow(/ longer than 1048576 bytes/);
  expect(source.takenBytes).toBeLessThanOrEqual(Math.max(elementMaxBytes, restMaxBytes) + 2 * pieceBytes);
  expect(source.isClosed).toBe(true);
});

test("endlessly nested arrays are refused by their depth", async () => {
  await expect(drain(new Endless("[", "["))).rejects.toThrow(`more than ${depthMax} arrays and objects`);
});

function nestedInList(depth: number): Buffer {
  return Buffer.from(`{"a":[${"[".repeat(depth - 2)}${"]".repeat(depth - 2)}]}`);
}

test("the depth counts from the document, not from the element", async () => {
  expect(await drain([nestedInList(depthMax)], ["a"])).toBe(1);
  await expect(drain([nestedInList(depthMax + 1)], ["a"])).rejects.toThrow(JsonError);
});

test("a source is closed when its reader stops early", async () => {
  const source = new Endless("[0", ",0");
  for await (const batch of elements(source, [])) {
    if (batch.length > 1) break;
  }
  expect(source.isClosed).toBe(true);
});

test("an error of the source is passed on unchanged", async () => {
  const broken = new Error("the connection broke");
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("[1,");
    throw broken;
  }
  await expect(drain(source())).rejects.toBe(broken);
});

/** A string in JSON that takes so many bytes. */
function stringOf(bytes: number): string {
  return `"${"a".repeat(bytes - 2)}"`;
}

/** A document with a list of two that takes so many bytes without its list. */
function documentOf(bytes: number): string {
  return `{"a":${stringOf(500_000)},"b":[1,2],"c":1}`.padEnd(bytes + "1,2]".length, " ");
}

test.each([1_000, pieceBytes, 10_000_000])(
  "an element may have the maximum length and no more, in pieces of %i bytes",
  async (bytes) => {
    expect(await drain(cut(`[${stringOf(elementMaxBytes)}]`, bytes))).toBe(1);
    await expect(drain(cut(`[${stringOf(elementMaxBytes + 1)}]`, bytes))).rejects.toThrow("an element is longer");
  },
);

test.each([1_000, pieceBytes, 10_000_000])(
  "the document around the list may have the maximum length and no more, in pieces of %i bytes",
  async (bytes) => {
    expect(await drain(cut(documentOf(restMaxBytes), bytes), ["b"])).toBe(2);
    await expect(drain(cut(documentOf(restMaxBytes + 1), bytes), ["b"])).rejects.toThrow(
      "what is not the list is longer",
    );
  },
);

test("the document around the list is measured as a whole, even if its end arrives with the last element", async () => {
  const document = `{"a":${stringOf(900_000)},"b":[${stringOf(400_000)}],"c":${stringOf(170_000)}}`;
  await expect(drain(cut(document, 1_000), ["b"])).rejects.toThrow("what is not the list is longer");
});

test("a long element that arrives byte by byte is not read again for each byte", async () => {
  expect(await drain(cut(`["${"a".repeat(300_000)}"]`, 1))).toBe(1);
});
