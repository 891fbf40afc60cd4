import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../memory-host.ts";
import { randomOf } from "../random.ts";
import { ForgetfulDisk } from "./disk.ts";
import type { Deed } from "./trace.ts";
import { readTrace, traceOptions } from "./trace.ts";

/** The next process comes late: a lock that was left is too old to be held. */
const longAgo = 0;

/** Why no process can be traced here; undefined where tracing works. */
export const whyUnwatched =
  spawnSync("strace", ["-V"]).status === 0 ? undefined : "needs strace, which records what a process writes and syncs";

/** Runs a program of ours, and records its changes to the files of a folder and its output. */
export function record(folder: string, program: string, ...args: readonly string[]): readonly Deed[] {
  return recordWith([], folder, program, ...args);
}

/** The same with a log whose syncs fail. */
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
 * Cuts the power after each step, or after as many as fit the count, and has the rest checked.
 * @param folders the folders of the files that survive
 * @param lookFor returns what is missing of everything reported until then
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
