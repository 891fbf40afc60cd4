import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../src/values/failure.ts";
import { size } from "../journal/long.ts";
import { ForgetfulDisk } from "../journal/power/disk.ts";
import type { Deed } from "../journal/power/trace.ts";
import { readTrace, traceOptions } from "../journal/power/trace.ts";
import { randomOf } from "../journal/random.ts";
import { temporaryFolder } from "../memory-host.ts";
import { keptIn } from "./process.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const recorder = join(import.meta.dirname, "fixtures/inbox-process.ts");

test("what a receiver answered with 200 is there after a power loss at any moment", async ({ skip }) => {
  if (!hasStrace) skip("needs strace, which records what the inbox writes and syncs");
  const { states, losses } = await loseThePower(record(size(8, 24), "careful"), size(120, 2000));
  expect(losses).toEqual([]);
  expect(states).toBeGreaterThan(100);
}, 3_600_000);

test("the test of power losses finds an inbox that does not wait for the disk", async ({ skip }) => {
  if (!hasStrace) skip("needs strace, which records what the inbox writes and syncs");
  const { losses } = await loseThePower(record(4, "careless"), 60);
  expect(losses).not.toEqual([]);
}, 3_600_000);

interface Recording {
  readonly folder: string;
  readonly deeds: readonly Deed[];
}

/** Lets a process store so many groups of events, and watches what it does to the disk. */
function record(groups: number, care: "careful" | "careless"): Recording {
  const folder = join(temporaryFolder(), "state");
  const trace = join(temporaryFolder(), "trace");
  mkdirSync(folder, { mode: 0o700 });
  const program = [process.execPath, recorder, folder, String(groups), care];
  const { status, stderr } = spawnSync("strace", [...traceOptions, "-o", trace, ...program], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The recording failed: ${stderr}`);
  return { folder, deeds: readTrace(readFileSync(trace, "latin1"), folder) };
}

/** Takes the power away after each deed, or after as many as fit the count, and looks for what was answered. */
async function loseThePower({ folder, deeds }: Recording, count: number) {
  const losses: string[] = [];
  const disk = new ForgetfulDisk();
  const answered = new Set<string>();
  const random = randomOf(1);
  let states = 0;
  for (const [index, deed] of deeds.entries()) {
    disk.perform(deed);
    if (deed.does === "say") answered.add(deed.text.trim());
    while (states < ((index + 1) * count) / deeds.length) {
      const survival = (["nothing", "something", "something", "everything"] as const)[states % 4] ?? "nothing";
      states += 1;
      const missing = await missingAfter(folder, disk.afterPowerLoss(survival, random), answered);
      losses.push(...missing.map((what) => `power lost after deed ${index}, ${survival} survived: ${what}`));
    }
  }
  return { states, losses };
}

async function missingAfter(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  answered: ReadonlySet<string>,
): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [path, bytes] of files) writeFileSync(path, bytes, { mode: 0o600 });
  try {
    const found = new Set((await keptIn(folder)).map(({ id }) => id));
    return [...answered].filter((id) => !found.has(id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message];
  }
}
