import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("every place that reads bytes from outside has a reader here, whose time is measured", () => {
  const script = join(import.meta.dirname, "coverage-process.ts");
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect({ stdout, status }).toEqual({ stdout: "[]", status: 0 });
});
