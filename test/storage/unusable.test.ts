import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Database } from "../../src/storage/sqlite/database.ts";
import { temporaryFolder } from "../memory-host.ts";

test("a database that cannot be used keeps no connection open", () => {
  const path = join(temporaryFolder(), "ledger.db");
  writeFileSync(path, "This is the rent of October, and no database.".repeat(100));
  const [opened, keeper] = [new DatabaseSync(path), new DatabaseSync(":memory:")];
  expect(() => new Database(opened, { explain: (error) => error, keeper })).toThrow("file is not a database");
  expect([opened.isOpen, keeper.isOpen]).toEqual([false, false]);
});
