import { expect, test } from "vitest";
import { isLogSafe } from "../../src/storage/sqlite/log-version.ts";

test("a write-ahead log is used with versions of SQLite that no longer damage it, and a rollback journal before", () => {
  expect(["3.51.3", "3.51.10", "3.53.4", "4.0.0"].filter((version) => !isLogSafe(version))).toEqual([]);
  expect(["3.51.2", "3.51", "3.46.1", "2.99.99", "null"].filter(isLogSafe)).toEqual([]);
});
