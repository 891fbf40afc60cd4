import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { staleness } from "../../scripts/mutations/mutation.ts";
import { mutations } from "../../scripts/mutations/mutations.ts";

// `npm run mutations` takes minutes; that it still finds what it changes is looked at on every run.

const root = join(import.meta.dirname, "../..");

test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
  "%s: can be tried, and has tests that are to notice",
  (_, mutation) => {
    expect(staleness(mutation, root)).toEqual([]);
    for (const file of mutation.tests) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  },
);

test("no two have one name, and a text that is gone is said", () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  const gone = { name: "gone", edits: [{ file: "package.json", text: "nowhere", instead: "" }], tests: ["x"] } as const;
  expect(staleness(gone, root)).toEqual(["gone: package.json has 0 times: nowhere"]);
  const edit = { file: "src/nowhere.ts", text: "a", instead: "b" };
  expect(staleness({ ...gone, edits: [edit] }, root)).toEqual(["gone: there is no src/nowhere.ts"]);
});
