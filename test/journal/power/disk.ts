import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Deed } from "./trace.ts";

const sectorBytes = 512;

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

/** A file: its bytes that are certainly on the disk, and the changes since. */
interface File {
  durable: Buffer;
  current: Buffer;
  changes: Change[];
}

/** How much of the unsynced data had reached the disk when the power failed. */
export type Survival = "nothing" | "everything" | "something";

/** A folder's names: those certainly on the disk, the current ones, and those in between. */
interface Folder {
  durable: Map<string, File>;
  readonly current: Map<string, File>;
  pending: Map<string, File>[];
}

/**
 * A disk that forgets: writes since the last fsync of a file, and names made, changed or removed since the
 * last fsync of its folder, may survive a power loss or not, each write for itself and torn between sectors.
 * Writes before a failed sync are not written by a later one: Linux no longer counts them as changed.
 * The names of a folder change in order, as file systems with a log keep them.
 */
export class ForgetfulDisk {
  readonly #folders = new Map<string, Folder>();

  perform(deed: Deed): void {
    if (deed.does === "say") return;
    const { path } = deed;
    const asFolder = this.#folders.get(path);
    if (deed.does === "sync" && asFolder !== undefined) return syncNames(asFolder);
    const folder = this.#folderOf(path);
    if (deed.does === "create") return createFile(folder, path);
    const file = folder.current.get(path);
    // A folder of folders: here those survive.
    if (file === undefined && deed.does === "sync" && statSync(path).isDirectory()) return;
    if (file === undefined) throw new Error(`${path} is used before it is made`);
    if (deed.does === "sync") {
      file.durable = file.changes.reduce(changed, file.durable);
      file.changes = [];
    } else if (deed.does === "fail to sync") file.changes = [];
    else if (deed.does === "write") {
      const offset = deed.offset === "end" ? file.current.length : deed.offset;
      change(file, { offset, bytes: deed.bytes });
    } else if (deed.does === "truncate") change(file, { size: deed.size });
    else {
      if (deed.does !== "link") folder.current.delete(path);
      if (deed.does !== "remove") folder.current.set(deed.to, file);
      folder.pending.push(new Map(folder.current));
    }
  }

  /** The files as they are after the power came back. */
  afterPowerLoss(survival: Survival, random: () => number): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    for (const { durable, pending } of this.#folders.values()) {
      const states = [durable, ...pending];
      const chosen = { nothing: 0, everything: pending.length, something: Math.floor(random() * states.length) };
      for (const [path, file] of states[chosen[survival]] ?? []) found.set(path, surviving(file, survival, random));
    }
    return found;
  }

  #folderOf(path: string): Folder {
    const name = dirname(path);
    const folder = this.#folders.get(name) ?? { durable: new Map(), current: new Map(), pending: [] };
    this.#folders.set(name, folder);
    return folder;
  }
}

function createFile(folder: Folder, path: string): void {
  if (folder.current.has(path)) return;
  folder.current.set(path, { durable: Buffer.alloc(0), current: Buffer.alloc(0), changes: [] });
  folder.pending.push(new Map(folder.current));
}

function syncNames(folder: Folder): void {
  folder.durable = new Map(folder.current);
  folder.pending = [];
}

function change(file: File, what: Change): void {
  file.changes.push(what);
  file.current = changed(file.current, what);
}

function changed(content: Buffer, what: Change): Buffer {
  const size = "size" in what ? what.size : Math.max(content.length, what.offset + what.bytes.length);
  const next = Buffer.alloc(size);
  content.copy(next);
  if ("bytes" in what) what.bytes.copy(next, what.offset);
  return next;
}

function surviving(file: File, survival: Survival, random: () => number): Buffer {
  if (survival === "everything") return file.current;
  let content = file.durable;
  if (survival === "nothing") return content;
  for (const each of file.changes) {
    if (random() < 0.5) continue;
    const isTorn = "bytes" in each && random() < 0.3;
    if (!isTorn) content = changed(content, each);
    else for (const sector of sectorsOf(each)) if (random() < 0.5) content = changed(content, sector);
  }
  return content;
}

function sectorsOf({ offset, bytes }: { readonly offset: number; readonly bytes: Buffer }) {
  const sectors = [];
  for (let at = 0; at < bytes.length;) {
    const length = Math.min(sectorBytes - ((offset + at) % sectorBytes), bytes.length - at);
    sectors.push({ offset: offset + at, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return sectors;
}
