import type { Stats } from "node:fs";
import { promises, rmSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileDraft } from "./files.ts";
import { UnsyncedName } from "./files.ts";
import { newDraftName, sweepLeftDrafts } from "./stale-temp-files.ts";
import { SlabWriter } from "./buffered-writer.ts";
import { syncFolder } from "./sync-folder.ts";
import { codeOf } from "../system-error.ts";

/** The mode of an ordinary new file, less the user's umask. */
const newFileMode = 0o666;
/** Without setuid and its like: the new file may have another owner. */
const permissionBits = 0o777;

/** Drafts of this process that are neither committed nor abandoned: an early exit removes them. */
const openDrafts = new Set<string>();

/**
 * A draft beside `path`. A link is followed first, so that it stays a link. A pipe or a device (`/dev/null`, `>(gzip)`)
 * cannot be replaced, and must not be: it is written to directly.
 */
export async function draftFile(path: string, mode: number | "kept", signal: AbortSignal): Promise<FileDraft> {
  const target = await resolveLinks(path);
  const old = await statsOf(target);
  if (old?.isFIFO() === true) {
    const { pipeDraft } = await import("./pipe-draft.ts");
    return pipeDraft(target, signal);
  }
  if (old?.isFile() === false) return new NodeDraft(await promises.open(target, "w"), undefined, target);
  await sweepLeftDrafts(dirname(target));
  const temporary = join(dirname(target), newDraftName());
  const kept = mode === "kept" && old !== undefined ? old.mode & permissionBits : undefined;
  const file = await promises.open(temporary, "wx", kept ?? (mode === "kept" ? newFileMode : mode));
  if (openDrafts.size === 0) process.on("exit", sweepDrafts);
  openDrafts.add(temporary);
  const draft = new NodeDraft(file, temporary, target);
  if (kept === undefined) return draft;
  try {
    await permit(file, kept);
  } catch (error) {
    await draft.abandon();
    throw error;
  }
  return draft;
}

/** Sets exactly these permissions; the umask restricted them when the file was created. */
async function permit(file: FileHandle, mode: number): Promise<void> {
  const { mode: given } = await file.stat();
  // Some mounts give all files the same permissions and refuse to change them.
  if ((given & permissionBits) !== mode) await file.chmod(mode);
}

class NodeDraft implements FileDraft {
  readonly #file: FileHandle;
  readonly #temporary: string | undefined;
  readonly #target: string;
  readonly #writer: SlabWriter;
  #state: "open" | "committed" | "abandoned" = "open";

  constructor(file: FileHandle, temporary: string | undefined, target: string) {
    this.#file = file;
    this.#temporary = temporary;
    this.#target = target;
    this.#writer = new SlabWriter((bytes) => writeAll(file, bytes));
  }

  write(bytes: Uint8Array | string): Promise<void> {
    if (this.#state !== "open") return Promise.reject(new Error(`The draft of ${this.#target} is ${this.#state}`));
    return this.#writer.write(bytes);
  }

  async commit(): Promise<void> {
    if (this.#state !== "open") throw new Error(`The draft of ${this.#target} is ${this.#state}`);
    try {
      await this.#writer.flush();
      if (this.#temporary !== undefined) await this.#file.sync();
      await this.#file.close();
      if (this.#temporary !== undefined) await promises.rename(this.#temporary, this.#target);
    } catch (error) {
      await this.abandon();
      throw error;
    }
    this.#state = "committed";
    if (this.#temporary === undefined) return;
    forgetDraft(this.#temporary);
    await syncFolder(dirname(this.#target)).catch((error: unknown) => {
      throw new UnsyncedName(error);
    });
  }

  async abandon(): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "abandoned";
    await this.#file.close().catch(() => undefined);
    if (this.#temporary === undefined) return;
    await promises.rm(this.#temporary, { force: true });
    forgetDraft(this.#temporary);
  }
}

/** Writes every byte; a single system call may write fewer, as it does just before a disk is full. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, null);
    done += bytesWritten;
  }
}

async function resolveLinks(path: string): Promise<string> {
  try {
    return await promises.realpath(path);
  } catch (error) {
    // Nothing is there yet, or it is `>(gzip)`: a link to `pipe:[…]`, which only the kernel can open.
    if (codeOf(error) === "ENOENT") return path;
    throw error;
  }
}

/** @throws {Error} EISDIR for a folder: better now than after the work */
async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    const stats = await promises.stat(path);
    if (stats.isDirectory()) throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: "EISDIR", path });
    return stats;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function forgetDraft(path: string): void {
  openDrafts.delete(path);
  if (openDrafts.size === 0) process.off("exit", sweepDrafts);
}

function sweepDrafts(): void {
  for (const path of openDrafts) rmSync(path, { force: true });
}
