import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Appended } from "./files.ts";
import { syncFolderNow } from "./sync-folder.ts";

const fileMode = 0o600;
/** Does not follow links, except on Windows, which has no such flag. */
const adding = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Appends to a file, synchronously. The file's name is on the disk before its first byte, as an empty file may be what
 * a killed process left.
 * @param isSynced true to have the text on the disk on return
 */
export function appendNow(path: string, text: Appended, isSynced: boolean): void {
  const file = openSync(path, adding, fileMode);
  try {
    if (fstatSync(file).size === 0) syncFolderNow(dirname(path));
    if (typeof text === "string") writeAllNow(file, text);
    else {
      writeAllNow(file, "\n");
      writeAllNow(file, text(fstatSync(file).ctimeMs));
    }
    if (isSynced) fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

function writeAllNow(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}
