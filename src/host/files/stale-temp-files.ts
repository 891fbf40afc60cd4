import { promises } from "node:fs";
import { join } from "node:path";
import { randomName } from "./random-name.ts";
import { codeOf } from "../system-error.ts";

/** A running process writes to its draft more often than this, on whatever machine shares the folder. */
const leftAfterMs = 3_600_000;
const draftName = /^\.partner-(\d+)-[0-9a-f]+\.tmp$/;
/** Folders that this process has checked. */
const swept = new Set<string>();

/** The name of a draft of this process. */
export function newDraftName(): string {
  return `.partner-${process.pid}-${randomName()}.tmp`;
}

/**
 * Removes drafts that killed processes left in a folder: those whose process is gone, and that were not touched for an
 * hour. Errors are ignored.
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
    // The draft stays for the next run.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
