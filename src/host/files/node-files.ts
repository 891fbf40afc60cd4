import type { Stats } from "node:fs";
import { lstatSync, mkdirSync, promises, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { FileFacts, Files, Target } from "./files.ts";
import { appendNow } from "./node-append.ts";
import { draftFile } from "./node-draft.ts";
import { takeLock } from "./node-lock.ts";
import { identityOf } from "./identity.ts";
import { readPieces, readWhole } from "./node-read.ts";
import { placeIdOf } from "./place-id.ts";
import { NodeSpool } from "./node-spool.ts";
import { syncFolderNow } from "./sync-folder.ts";
import { codeOf } from "../system-error.ts";

/**
 * The machine's own file system.
 * @param signal ends waiting for another program, such as the reader of a pipe
 */
export function nodeFiles(signal = new AbortController().signal): Files {
  return {
    read: (path, maxBytes) => readWhole(path, maxBytes, signal),
    chunks: (path) => readPieces(path, signal),
    facts: readFacts,
    isSame: isSameFile,
    leadsTo,
    placeId,
    draft: (path, mode) => draftFile(path, mode, signal),
    append: appendNow,
    names: readNames,
    makeFolder,
    remove: removeFile,
    renameFolder,
    removeFolder,
    temporaryFolder,
    lock: takeLock,
    spool: (memoryMaxBytes) => new NodeSpool(memoryMaxBytes),
  };
}

/**
 * Creates folders level by level: Node's own `recursive` never returns where a parent exists but allows no folders,
 * like `/proc`.
 */
async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  try {
    await makeOneFolder(path, mode);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    if ((await readFacts(parent)) === undefined) await makeFolder(parent, mode);
    // Another process may have created the parent meanwhile; if it allows no folders, this fails again.
    await makeOneFolder(path, mode);
  }
}

async function makeOneFolder(path: string, mode: number): Promise<void> {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
    return;
  }
  // What is written into it is only as safe as its own name.
  syncFolderNow(dirname(path));
}

/**
 * An existing target is an error, even an empty folder, which rename(2) would replace. Where the new name can't be
 * synced, the folder gets its own name back.
 */
async function renameFolder(from: string, to: string): Promise<void> {
  if ((await readFacts(to)) !== undefined) throw Object.assign(new Error(`${to} exists`), { code: "EEXIST" });
  await promises.rename(from, to);
  try {
    syncFolderNow(dirname(to));
  } catch (error) {
    await promises.rename(to, from);
    throw error;
  }
}

async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await promises.mkdtemp(join(tmpdir(), "partner-"));
  return { path, remove: () => promises.rm(path, { recursive: true, force: true }) };
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const first = identityOf(one);
  return first !== undefined && first === identityOf(other);
}

/** Undefined for a path that can't be resolved: opening it will say why. */
async function leadsTo(path: string): Promise<Target | undefined> {
  try {
    const found = await promises.realpath(path);
    return { path: found, namesCount: (await promises.stat(found)).nlink };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
  try {
    const whole = resolve(path);
    return { path: join(await promises.realpath(dirname(whole)), basename(whole)), namesCount: 0 };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

async function placeId(path: string): Promise<string | undefined> {
  try {
    return placeIdOf(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

async function readFacts(path: string): Promise<FileFacts | undefined> {
  try {
    const stats = lstatSync(path);
    return {
      kind: kindOf(stats),
      mode: stats.mode & 0o777,
      ownerId: stats.uid,
      sizeBytes: stats.size,
      modifiedMs: stats.mtimeMs,
      changedMs: stats.ctimeMs,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readNames(path: string): Promise<string[]> {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function kindOf(stats: Stats): FileFacts["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** A missing file is not an error. */
async function removeFile(path: string): Promise<void> {
  try {
    await promises.unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** A missing folder is not an error. */
async function removeFolder(path: string): Promise<void> {
  try {
    await promises.rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** True also where no file can have the name. */
function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
