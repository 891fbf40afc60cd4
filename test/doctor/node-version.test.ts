import { expect, test } from "vitest";
import pjson from "../../package.json" with { type: "json" };
import { isInRange } from "../../src/doctor/node-version.ts";

test.each<[version: string, range: string, expected: boolean]>([
  ["22.22.3", "^22.22.3", true],
  ["22.22.10", "^22.22.3", true],
  ["22.23.0", "^22.22.3", true],
  ["22.22.2", "^22.22.3", false],
  ["22.9.9", "^22.22.3", false],
  ["23.0.0", "^22.22.3", false],
  ["26.0.0", ">=26", true],
  ["100.0.0", ">=26", true],
  ["25.99.99", ">=26", false],
  ["24.15.0", "^22.22.3 || ^24.15.0 || >=26", true],
  ["24.14.9", "^22.22.3 || ^24.15.0 || >=26", false],
  ["v26.1.0-nightly20260301", ">=26", true],
  ["26.1.0", "", false],
  ["26.1.0", "~26", false],
  ["something", ">=26", false],
])("Node %s is in %j: %s", (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});

test("the first version of each part of package.json's range is in it", () => {
  const first = pjson.engines.node.split("||").map((part) => `${part.replace(/^\D+/, "").trim()}.0.0`);
  expect(first).toHaveLength(3);
  expect(first.filter((version) => !isInRange(version, pjson.engines.node))).toEqual([]);
});
