import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../memory-host.ts";
import { randomOf } from "../random.ts";
import { ForgetfulDisk } from "./disk.ts";
import type { Deed } from "./trace.ts";
import { readTrace, traceOptions } from "./trace.ts";

/** Nobody comes back at once: a lock that was left is older than its holder would let it get. */
const longAgo = 0;

/** Why no process can be watched here; undefined where one can. */
export const whyUnwatched =
  spawnSync("strace", ["-V"]).status === 0 ? undefined : "needs strace, which records what a process writes and syncs";

/** Runs a program of ours, and watches what it does to the files of a folder and says meanwhile. */
export function record(folder: string, program: string, ...args: readonly string[]): readonly Deed[] {
  return recordWith([], folder, program, ...args);
}

/** The same where syncs of the log fail. */
export function recordFailing(folder: string, program: string, ...args: readonly string[]): readonly Deed[] {
  return recordWith(["-e", "inject=fdatasync:error=EIO"], folder, program, ...args);
}

function recordWith(options: readonly string[], folder: string, ...command: readonly string[]): readonly Deed[] {
  const trace = join(temporaryFolder(), "trace");
  const watched = [...traceOptions, ...options, "-o", trace, process.execPath, ...command];
  const { status, stderr } = spawnSync("strace", watched, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The recording failed: ${stderr}`);
  return readTrace(readFileSync(trace, "latin1"), folder);
}

/**
 * Takes the power away after each deed, or after as many as fit the count, and has somebody look at what is left.
 * @param folders in which the files are that survive
 * @param lookFor says what is missing of what was said until then
 */
export async function loseThePower(
  deeds: readonly Deed[],
  count: number,
  folders: readonly string[],
  lookFor: (said: readonly string[]) => Promise<readonly string[]>,
): Promise<{ readonly states: number; readonly losses: readonly string[] }> {
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
      putBack(folders, disk.afterPowerLoss(survival, random));
      const where = `power lost after deed ${index}, ${survival} of what was not synced survived`;
      losses.push(...(await lookFor(said)).map((loss) => `${where}: ${loss}`));
    }
  }
  return { states, losses };
}

function putBack(folders: readonly string[], files: ReadonlyMap<string, Buffer>): void {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  for (const [path, bytes] of files) {
    writeFileSync(path, bytes, { mode: 0o600 });
    utimesSync(path, longAgo, longAgo);
  }
}
