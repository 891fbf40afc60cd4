import { expect, test } from "vitest";
import { BatchProgress } from "../../src/app/batch/progress.ts";
import { memoryHost } from "../memory-host.ts";

test("off a terminal, a line every few seconds says how far the batch is", async () => {
  const host = memoryHost();
  const progress = new BatchProgress(host, 1000, false);
  for (let row = 1; row <= 200; row++) {
    host.clock.advance(100);
    progress.step();
  }
  await progress.end();
  expect(host.stderr.text()).toBe("50 of 1000 rows\n100 of 1000 rows\n150 of 1000 rows\n200 of 1000 rows\n");
});

test("on a terminal, a progress bar moves and is removed at the end", async () => {
  const host = memoryHost({ terminal: { stderr: true }, columns: 80 });
  const progress = new BatchProgress(host, 4, false);
  for (let row = 1; row <= 3; row++) {
    host.clock.advance(100);
    progress.step();
  }
  await progress.end();
  const [, first, , third, blank, end] = host.stderr.text().split("\r");
  expect(first).toBe("[######..................] 1 of 4 rows");
  expect(third).toBe("[##################......] 3 of 4 rows");
  expect({ blank: blank?.trim(), end }).toEqual({ blank: "", end: "" });
});

test("--quiet shows no progress", async () => {
  const host = memoryHost({ terminal: { stderr: true } });
  const progress = new BatchProgress(host, 2, true);
  host.clock.advance(60_000);
  progress.step();
  await progress.end();
  expect(host.stderr.text()).toBe("");
});
