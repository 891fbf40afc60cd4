import { closeSync, fsyncSync, openSync, promises } from "node:fs";
import { codeOf } from "../system-error.ts";

/** Folders that can't be opened or synced (Windows, some mounts) are skipped. */
const unable: ReadonlySet<string | undefined> = new Set(["EACCES", "EISDIR", "EPERM", "EINVAL", "ENOTSUP"]);

/** Brings the names in a folder to the disk: until then, a power loss can take a new one away. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await promises.open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!unable.has(codeOf(error))) throw error;
  }
}

/** The same, synchronously. */
export function syncFolderNow(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!unable.has(codeOf(error))) throw error;
  }
}
