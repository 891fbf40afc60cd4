import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slowTests } from "../slow.ts";

const root = join(import.meta.dirname, "../..");
const found = (pattern: string) => globSync(pattern, { cwd: root });

const isLong = (file: string) => file.startsWith("test/long/");

test.each(slowTests)("%s names slow tests that exist", (pattern) => {
  expect(found(pattern)).not.toEqual([]);
});

test("the slow tests exist, and are less than a quarter of all tests", () => {
  const slow = new Set(slowTests.flatMap(found).filter((file) => !isLong(file)));
  const all = found("test/**/*.test.ts").filter((file) => !isLong(file));
  expect(all).toEqual(expect.arrayContaining([...slow]));
  expect(slow.size).toBeLessThan(all.length / 4);
});
