import { promises } from "node:fs";
import { join } from "node:path";
import { randomName } from "./random-name.ts";
import { codeOf } from "../system-error.ts";

/** Nobody writes a draft for longer without touching it, on whatever machine that shares the folder. */
const leftAfterMs = 3_600_000;
const draftName = /^\.partner-(\d+)-[0-9a-f]+\.tmp$/;
/** Folders that this process has looked through. */
const swept = new Set<string>();

/** The name of a draft of this process. */
export function newDraftName(): string {
  return `.partner-${process.pid}-${randomName()}.tmp`;
}

/**
 * Removes what killed processes have left of their drafts in a folder: those whose process is no more and which nobody
 * has touched for an hour. It is tidying up, so nothing that goes wrong with it is worth a word.
 */
export async function sweepLeftDrafts(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    for (const name of await promises.readdir(folder)) {
      const pid = Number(draftName.exec(name)?.[1] ?? process.pid);
      if (pid === process.pid || isRunning(pid)) continue;
      const path = join(folder, name);
      if (Date.now() - (await promises.stat(path)).mtimeMs > leftAfterMs) await promises.rm(path, { force: true });
    }
  } catch {
    // It stays for the next run.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
