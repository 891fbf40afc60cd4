import type { Stats } from "node:fs";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { FileFacts, Files, Target } from "./files.ts";
import { FileTooLarge } from "./files.ts";
import { appendNow } from "./node-append.ts";
import { draftFile } from "./node-draft.ts";
import { takeLock } from "./node-lock.ts";
import { NodeSpool } from "./node-spool.ts";
import { limitYoungGeneration, longBytes } from "../process/gc-tuning.ts";
import { codeOf } from "../system-error.ts";
import { isOpenedAlready } from "../../values/text/path-name.ts";

const chunkBytes = 256 * 1024;
/** What is read in one go, without letting anybody else have a turn. */
const smallMaxBytes = 1024 * 1024;
/** The same of a file that does not say its size, as those of `/proc`. */
const unsaidMaxBytes = 64 * 1024;
/** What would wait says so instead. Windows has no such thing. */
const atOnce = constants.O_NONBLOCK ?? 0;

/**
 * The machine's own file system.
 * @param signal ends what waits for another program, such as the reader of a pipe
 */
export function nodeFiles(signal = new AbortController().signal): Files {
  return {
    read: (path, maxBytes) => readWhole(path, maxBytes, signal),
    chunks: (path) => readPieces(path, signal),
    facts: readFacts,
    isSame: isSameFile,
    leadsTo,
    folderId,
    draft: (path, mode) => draftFile(path, mode, signal),
    append: appendNow,
    names: readNames,
    makeFolder,
    remove: removeFile,
    renameFolder,
    removeFolder: (path) => promises.rm(path, { recursive: true, force: true }),
    temporaryFolder,
    lock: takeLock,
    spool: (memoryMaxBytes) => new NodeSpool(memoryMaxBytes),
  };
}

/**
 * Level by level: Node's own `recursive` never comes back where a parent exists and takes no folder, as `/proc` does.
 */
async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  try {
    await makeOneFolder(path, mode);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    if ((await readFacts(parent)) === undefined) await makeFolder(parent, mode);
    // Where the parent is there by now, another process has just made it; where it takes no folder, this fails again.
    await makeOneFolder(path, mode);
  }
}

async function makeOneFolder(path: string, mode: number): Promise<void> {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

/** A name that is taken is an error, also where an empty folder has it, over which the system would rename. */
async function renameFolder(from: string, to: string): Promise<void> {
  if ((await readFacts(to)) !== undefined) throw Object.assign(new Error(`${to} exists`), { code: "EEXIST" });
  await promises.rename(from, to);
}

async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await promises.mkdtemp(join(tmpdir(), "partner-"));
  return { path, remove: () => promises.rm(path, { recursive: true, force: true }) };
}

/** Reads to the end whatever the file says its size is: pipes, `/dev/stdin` and `/proc` say 0. */
async function readWhole(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const small = readSmallFile(path, maxBytes);
  if (small !== undefined) return small;
  const parts: Uint8Array[] = [];
  let total = 0;
  const stats = await promises.stat(path);
  for await (const part of readChunks(path, stats, signal)) {
    total += part.length;
    if (total > maxBytes) throw new FileTooLarge(`${path} is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * A plain small file, at once: Node's own promises for files cost a start more than reading all that it reads.
 * Undefined for anything else, which may hold us up: a pipe, and what `/proc` has nothing to say of yet.
 */
function readSmallFile(path: string, maxBytes: number): Uint8Array | undefined {
  const facts = statSync(path);
  if (!facts.isFile() || facts.size > Math.min(maxBytes, smallMaxBytes)) return undefined;
  const file = openSync(path, constants.O_RDONLY | atOnce);
  try {
    const size = facts.size === 0 ? Math.min(maxBytes, unsaidMaxBytes) : facts.size;
    const bytes = Buffer.allocUnsafeSlow(size + 1);
    let total = 0;
    for (let read = 1; read > 0 && total < bytes.length; total += read)
      read = readSync(file, bytes, total, bytes.length - total, null);
    return total > size ? undefined : bytes.subarray(0, total);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** How many reads wait for another program to write. */
let waitingCount = 0;

/** True while something is read from a pipe or a terminal, which no signal ends. */
export function isWaitingToRead(): boolean {
  return waitingCount > 0;
}

/** After a signal no wait begins: who looked whether there is one may have found none. */
async function waited<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw signal.reason;
  waitingCount += 1;
  return read().finally(() => (waitingCount -= 1));
}

async function* readChunks(path: string, stats: Stats, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const take = <T>(read: () => Promise<T>) => (stats.isFile() ? read() : waited(signal, read));
  const file = await take(() => promises.open(path, constants.O_RDONLY));
  let total = 0;
  try {
    for (;;) {
      const { buffer, bytesRead } = await take(() =>
        file.read(Buffer.allocUnsafeSlow(chunkBytes), 0, chunkBytes, null),
      );
      if (bytesRead === 0) return;
      total += bytesRead;
      if (total > longBytes) limitYoungGeneration();
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* readPieces(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stats = await promises.stat(path);
  if (isNamedPipe(path, stats)) throw Object.assign(new Error(`${path} is a pipe`), { code: "ESPIPE" });
  yield* readChunks(path, stats, signal);
}

/** Opening one, also through a link to it, waits for whoever writes, and no signal ends that wait. */
function isNamedPipe(path: string, stats: Stats): boolean {
  return stats.isFIFO() && !isOpenedAlready(path);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => identityOf(path)));
  return first !== undefined && first === second;
}

/** What cannot be looked at leads nowhere: whoever opens it says why in words of their own. */
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

async function folderId(path: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs, ctimeNs } = await promises.stat(path, { bigint: true });
    // Where a file system doesn't keep when a folder was made, the time of its last change is given for it.
    return `${ino} ${birthtimeNs === ctimeNs ? 0 : birthtimeNs}`;
  } catch {
    return undefined;
  }
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const stats = await promises.stat(path, { bigint: true });
    return stats.isFile() ? `${stats.dev} ${stats.ino}` : undefined;
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

/** What is not there is removed already. */
async function removeFile(path: string): Promise<void> {
  try {
    await promises.unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}
