import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTables } from "../../scripts/readme.ts";

const readme = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8");

test("the README's tables are those that the program makes: npm run readme", async () => {
  expect(await withTables(readme)).toBe(readme);
});

test("a README that lacks a table's place is told apart", async () => {
  await expect(withTables(readme.replace("<!-- exit-codes -->", ""))).rejects.toThrow("no place for exit-codes");
});
