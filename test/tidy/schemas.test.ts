import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileOf, outputs, published } from "../../scripts/schemas/schemas.ts";
import { catalog } from "../../src/catalog.ts";

const folder = join(import.meta.dirname, "../../docs/schemas");

test("every command has a schema of its JSON: add it to scripts/schemas, then npm run readme", () => {
  expect([...outputs.keys()].toSorted()).toEqual(Object.keys(catalog).toSorted());
});

test.each([...outputs])("the published schema of %s matches its columns: npm run readme", (id, schema) => {
  const kept: unknown = JSON.parse(readFileSync(join(folder, fileOf(id)), "utf8"));
  expect(kept).toEqual(JSON.parse(JSON.stringify(published(id, schema))));
});
