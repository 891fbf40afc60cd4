import { expect, test } from "vitest";
import { closest } from "../../src/values/text/closest.ts";

const words = ["balance", "statement", "list", "transfer", "withdraw"];

test.each([
  ["statment", "statement"],
  ["BALANCE", "balance"],
  ["blance", "balance"],
  ["trasnfer", "transfer"],
  ["lst", "list"],
  ["list", "list"],
])("%s probably means %s", (typed, meant) => {
  expect(closest(typed, words)).toBe(meant);
});

test.each(["", "xyz", "collect", "s".repeat(1000)])("%j means none of the words", (typed) => {
  expect(closest(typed, words)).toBeUndefined();
});

test("the dashes of a flag do not make another flag more likely", () => {
  expect(closest("--wrong", ["--json", "--from"])).toBeUndefined();
  expect(closest("--form", ["--json", "--from"])).toBe("--from");
});

test("of two equally close words the first is suggested", () => {
  expect(closest("cat", ["bat", "hat"])).toBe("bat");
});
