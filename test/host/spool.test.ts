import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";

const files = nodeFiles();

async function contentOf(spool: { chunks(): AsyncIterable<Uint8Array> }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of spool.chunks()) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

test("a spool returns what was written to it, as often as needed, from memory or from a file", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 0, max: 150_000 }).map((size) => Buffer.alloc(size, size % 256)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom(0, 100, 100_000, 10_000_000),
      async (pieces, max) => {
        const spool = files.spool(max);
        const expected = Buffer.concat(pieces.map((each) => Buffer.from(each)));
        try {
          for (const each of pieces) await spool.write(each);
          expect(spool.sizeBytes).toBe(expected.length);
          expect((await contentOf(spool)).equals(expected)).toBe(true);
          await spool.write("!");
          expect((await contentOf(spool)).equals(Buffer.concat([expected, Buffer.from("!")]))).toBe(true);
        } finally {
          await spool.discard();
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a spool keeps its own copy of what was written", async () => {
  const spool = files.spool(1_000_000);
  const bytes = Buffer.alloc(100_000, "a");
  await spool.write(bytes);
  bytes.fill("b");
  expect((await contentOf(spool)).includes("b")).toBe(false);
  await spool.discard();
});

test("a spool's file has no name", async () => {
  const spool = files.spool(0);
  await spool.write(Buffer.alloc(500_000));
  await contentOf(spool);
  expect(readdirSync(tmpdir()).filter((name) => name.endsWith(".spool"))).toEqual([]);
  await spool.discard();
});

test("a discarded spool refuses writes and reads", async () => {
  const spool = files.spool(10);
  await spool.discard();
  await spool.discard();
  await expect(spool.write("x")).rejects.toThrow(/discarded/);
  await expect(contentOf(spool)).rejects.toThrow(/discarded/);
});
