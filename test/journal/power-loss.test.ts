import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../src/values/failure.ts";
import { temporaryFolder } from "../memory-host.ts";
import { size } from "./long.ts";
import { collect, openPlace } from "./orders.ts";
import type { Survival } from "./power/disk.ts";
import { ForgetfulDisk } from "./power/disk.ts";
import type { Deed } from "./power/trace.ts";
import { readTrace, traceOptions } from "./power/trace.ts";
import { randomOf } from "./random.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const recorder = join(import.meta.dirname, "fixtures/recorder-process.ts");

test("what a sender was told is on the disk is there after a power loss at any moment", async ({ skip }) => {
  if (!hasStrace) skip("needs strace, which records what the journal writes and syncs");
  const recording = record(size(5, 12), "careful");
  const { states, losses } = await loseThePower(recording, size(150, 2000));
  expect(losses).toEqual([]);
  expect(states).toBeGreaterThan(100);
}, 3_600_000);

test("the test of power losses finds the loss with SQLite's default rollback journal", async ({ skip }) => {
  if (!hasStrace) skip("needs strace, which records what the journal writes and syncs");
  const { losses } = await loseThePower(record(2, "careless"), 60);
  expect(losses).not.toEqual([]);
}, 3_600_000);

interface Recording {
  readonly folder: string;
  readonly deeds: readonly Deed[];
}

/** Lets a process make so many orders, and watches what it does to the disk. */
function record(orders: number, care: "careful" | "careless"): Recording {
  const folder = temporaryFolder();
  const trace = join(temporaryFolder(), "trace");
  const { state, config } = foldersIn(folder);
  const program = [process.execPath, recorder, state, config, String(orders), care];
  const { status, stderr } = spawnSync("strace", [...traceOptions, "-o", trace, ...program], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The recording failed: ${stderr}`);
  return { folder, deeds: readTrace(readFileSync(trace, "latin1"), folder) };
}

/** Takes the power away after each deed, or after as many as fit the count, and looks at what is left. */
async function loseThePower({ folder, deeds }: Recording, count: number) {
  const losses: string[] = [];
  const disk = new ForgetfulDisk();
  const said: string[] = [];
  const random = randomOf(1);
  let states = 0;
  for (const [index, deed] of deeds.entries()) {
    disk.perform(deed);
    if (deed.does === "say") said.push(deed.text.trim());
    while (states < ((index + 1) * count) / deeds.length) {
      const survival = (["nothing", "something", "something", "everything"] as const)[states % 4] ?? "nothing";
      states += 1;
      losses.push(...(await lookAfter(folder, disk.afterPowerLoss(survival, random), said, survival, index)));
    }
  }
  return { states, losses };
}

async function lookAfter(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  said: readonly string[],
  survival: Survival,
  index: number,
): Promise<string[]> {
  const { state, config } = foldersIn(folder);
  for (const path of [state, config]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  for (const [path, bytes] of files) writeFileSync(path, bytes, { mode: 0o600 });
  const where = `power lost after deed ${index}, ${survival} of what was not synced survived`;
  try {
    const journal = await openPlace({ stateFolder: state, configFolder: config });
    try {
      await journal.verify();
      const found = new Map((await collect(journal.list())).map((each) => [each.reference, each.state]));
      return said.flatMap((line) => {
        const [word = "", reference = ""] = line.split(" ");
        const now = found.get(reference);
        const isKept = word === "sending" ? now !== undefined && now !== "unsent" : now === word;
        return isKept ? [] : [`${where}: ${line}, but now ${now ?? "not there"}`];
      });
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`${where}: ${error.message}`];
  }
}

function foldersIn(folder: string): { readonly state: string; readonly config: string } {
  return { state: join(folder, "state"), config: join(folder, "config") };
}
