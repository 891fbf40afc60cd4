import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Mark } from "../../src/journal/age/marks.ts";
import { Marks } from "../../src/journal/age/marks.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { randomOf } from "./random.ts";

const server = { system: "7300000000000000001", timeline: 3 };

function markOf(number: number, changes: Partial<Mark> = {}): Mark {
  return { epoch: 0, number, at: 1_000 + number, seal: `seal-${number}`, seen: 0, server: undefined, ...changes };
}

function openMarks(folder: string, id = "journal-1"): Marks {
  return new Marks(memoryHost(), { known: join(folder, "journals.json"), money: "none" }, id);
}

async function kept(folder: string, ...marks: readonly Mark[]): Promise<Mark | undefined> {
  const writer = openMarks(folder);
  await writer.read();
  for (const mark of marks) {
    await writer.prepare(mark);
    writer.keep(mark);
  }
  return openMarks(folder).read();
}

test("the furthest mark counts, whatever the order in which processes add theirs", async () => {
  const folder = temporaryFolder();
  expect(await openMarks(folder).read()).toBeUndefined();
  expect(await kept(folder, markOf(5), markOf(3), markOf(4))).toEqual(markOf(5));
  expect(await kept(folder, markOf(0, { seal: "" }))).toEqual(markOf(5));
  expect(await openMarks(folder, "journal-2").read()).toBeUndefined();
});

test("the furthest row of statements and server timeline of any process count", async () => {
  const old = { ...server, timeline: 2 };
  const found = await kept(temporaryFolder(), markOf(5, { seen: 7, server }), markOf(6, { seen: 2, server: old }));
  expect(found).toEqual(markOf(6, { seen: 7, server }));
});

test("a journal that was made current again starts from its own position", async () => {
  const folder = temporaryFolder();
  expect(await kept(folder, markOf(2000), markOf(41, { epoch: 1 }))).toEqual(markOf(41, { epoch: 1 }));
  // A process from before still adds to marks that no longer count.
  expect(await kept(folder, markOf(2001))).toEqual(markOf(41, { epoch: 1 }));
});

test("after many orders the marks are two small files", async () => {
  const folder = temporaryFolder();
  for (let number = 1; number < 30_000; number += 400) await kept(folder, markOf(number), markOf(number + 2));
  const names = readdirSync(join(folder, "marks"));
  expect(names.length).toBeLessThanOrEqual(3);
  for (const name of names) expect(readFileSync(join(folder, "marks", name)).length).toBeLessThan(100_000);
});

test("however its file is torn, cut or overwritten, a mark is one that was written, or none", async () => {
  const folder = temporaryFolder();
  const written = [markOf(511), markOf(512), markOf(513), markOf(514, { seen: 3, server })];
  await kept(folder, ...written);
  const random = randomOf(7);
  const paths = readdirSync(join(folder, "marks")).map((name) => join(folder, "marks", name));
  const whole = paths.map((path) => readFileSync(path));
  for (let round = 0; round < 300; round += 1) {
    for (const [index, path] of paths.entries()) writeFileSync(path, harmed(whole[index] ?? Buffer.alloc(0), random));
    const found = await openMarks(folder).read();
    expect(["undefined undefined", ...written.map(({ number, seal }) => `${number} ${seal}`)]).toContain(
      `${found?.number} ${found?.seal}`,
    );
  }
});

test("a torn line does not spoil the next one", async () => {
  const folder = temporaryFolder();
  await kept(folder, markOf(5));
  const [path = ""] = readdirSync(join(folder, "marks")).map((name) => join(folder, "marks", name));
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, readFileSync(path).subarray(0, -10));
  expect(await kept(folder, markOf(6))).toEqual(markOf(6));
});

function harmed(bytes: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(random() * copy.length);
  if (random() < 0.4) return copy.subarray(0, at);
  copy[at] = Math.floor(random() * 256);
  return copy;
}
