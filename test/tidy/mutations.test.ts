import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { staleness } from "../../scripts/mutations/mutation.ts";
import { mutations } from "../../scripts/mutations/mutations.ts";
import { candidatesIn } from "../../scripts/mutations/sample/candidates.ts";
import { stale } from "../../scripts/mutations/sample/equivalent.ts";
import type { Ended, Outcome } from "../../scripts/mutations/sample/outcome.ts";
import { figures, shortfalls } from "../../scripts/mutations/sample/outcome.ts";

// `npm run mutations` takes minutes; every run checks that it still finds the texts that it changes.

const root = join(import.meta.dirname, "../..");

test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
  "%s: its texts are in the sources, and its tests exist",
  (_, mutation) => {
    expect(staleness(mutation, root)).toEqual([]);
    for (const file of mutation.tests) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  },
);

test("all names differ, and a missing text is reported", () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  const gone = { name: "gone", edits: [{ file: "package.json", text: "nowhere", instead: "" }], tests: ["x"] } as const;
  expect(staleness(gone, root)).toEqual(["gone: package.json has 0 times: nowhere"]);
  const edit = { file: "src/nowhere.ts", text: "a", instead: "b" };
  expect(staleness({ ...gone, edits: [edit] }, root)).toEqual(["gone: there is no src/nowhere.ts"]);
});

test("a sample passes with 95 % noticed, and with all of movements, journal and profiles", () => {
  expect(shortfalls([...slips("report", "noticed", 95), ...slips("host", "survived", 5)])).toEqual([]);
  expect(shortfalls([...slips("report", "noticed", 94), ...slips("host", "left", 6)])).toEqual([
    "94.0 % are noticed, less than 95 %.",
  ]);
  const sample = [...slips("report", "noticed", 99), ...slips("journal", "survived", 1)];
  expect(shortfalls(sample)).toEqual(["1 of 1 in src/journal are not noticed."]);
  expect(figures(sample)).toEqual([
    "src/journal: 0 noticed, 1 survived, 0 not looked into",
    "src/report: 99 noticed, 0 survived, 0 not looked into",
    "all: 99 noticed, 1 survived, 0 not looked into",
  ]);
});

test("slips are made of likely mistakes, and not of methods of every object", () => {
  expect(slipsIn("list.some(isPaid) && sum.add(fee);")).toEqual([
    ["&&", "||"],
    ["some", "every"],
    ["add", "subtract"],
  ]);
  expect(slipsIn("day.toString();")).toEqual([["day.toString();", ";"]]);
});

test("slips that change nothing are still made at the listed places", () => {
  expect(stale((source) => readFileSync(join(root, source), "utf8"))).toEqual([]);
});

/** What each slip in a source removes, and what it puts there. */
function slipsIn(code: string) {
  return candidatesIn(code).map(({ start, end, instead }) => [code.slice(start, end), instead]);
}

/** So many slips of one folder with that outcome. */
function slips(folder: string, outcome: Outcome, count: number): readonly Ended[] {
  return Array.from({ length: count }, () => ({ source: `src/${folder}/a/b.ts`, outcome }));
}
