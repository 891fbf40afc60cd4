import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { fill } from "../../journal/crowded.ts";
import { startRun } from "../../movements/child.ts";
import { temporaryFolder } from "../../memory-host.ts";
import { openTill } from "../../movements/till.ts";

const count = 200_000;
const writer = join(import.meta.dirname, "..", "..", "journal", "fixtures", "writer-process.ts");
const till = openTill({}, temporaryFolder());

beforeAll(async () => {
  const configFolder = till.environment["PARTNER_CONFIG_DIR"] ?? "";
  await fill({ stateFolder: till.stateFolder, configFolder }, count);
}, 3_600_000);

test.each([
  "journal verify",
  "journal list --state unknown --fail-if-any",
  "journal list --since 2026-03-31 --json --save /dev/null",
  "journal export --events -o ndjson --save /dev/null",
  "doctor",
])(`%s of ${count} orders makes no commit wait for more than a second`, async (line) => {
  const writing = spawn(process.execPath, [writer, join(till.stateFolder, "journal.db")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said = text(writing.stdout);
  const run = await startRun(line, till).run;
  writing.stdin.end();
  const { done, late }: Readonly<Record<string, number>> = JSON.parse(await said);
  expect(run).toMatchObject({ exit: 0 });
  expect(late).toBe(0);
  expect(done).toBeGreaterThan(0);
});
