import type { Stats } from "node:fs";
import { closeSync, constants, openSync, promises, read, readSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { isOpenedAlready, openedAs } from "../../values/text/path-name.ts";
import { limitYoungGeneration, longBytes } from "../process/gc-tuning.ts";
import { codeOf } from "../system-error.ts";
import { FileTooLarge } from "./files.ts";

const chunkBytes = 256 * 1024;
/** The largest file that is read synchronously. */
const smallMaxBytes = 1024 * 1024;
/** The same for files whose size is unknown, such as those of `/proc`. */
const sizelessMaxBytes = 64 * 1024;
/** Reads that would block fail instead. Windows has no such flag. */
const atOnce = constants.O_NONBLOCK ?? 0;

/** Reads to the end, whatever size `stat` reports: it is 0 for pipes, `/dev/stdin` and `/proc`. */
export async function readWhole(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
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
 * Reads a small regular file synchronously: loading Node's `fs/promises` costs more than all reads at a start.
 * Undefined for any other file, and for one that may block: a pipe, or a file of `/proc` without content yet.
 */
function readSmallFile(path: string, maxBytes: number): Uint8Array | undefined {
  const facts = statSync(path);
  if (!facts.isFile() || facts.size > Math.min(maxBytes, smallMaxBytes)) return undefined;
  const file = openSync(path, constants.O_RDONLY | atOnce);
  try {
    const size = facts.size === 0 ? Math.min(maxBytes, sizelessMaxBytes) : facts.size;
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

/** How many reads are waiting for another program to write. */
let waitingCount = 0;

/** True while a read of a pipe or a terminal is waiting, which no signal ends. */
export function isWaitingToRead(): boolean {
  return waitingCount > 0;
}

/** No wait begins after a signal: its handler may have checked `isWaitingToRead` already. */
async function waited<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw signal.reason;
  waitingCount += 1;
  return read().finally(() => (waitingCount -= 1));
}

async function* readChunks(path: string, stats: Stats, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const take = <T>(step: () => Promise<T>) => (stats.isFile() ? step() : waited(signal, step));
  const file = await take(() => openToRead(path, stats));
  let total = 0;
  try {
    for (;;) {
      const { buffer, bytesRead } = await take(() => file.read(Buffer.allocUnsafeSlow(chunkBytes)));
      if (bytesRead === 0) return;
      total += bytesRead;
      if (total > longBytes) limitYoungGeneration();
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

interface OpenFile {
  readonly read: (buffer: Buffer) => Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>;
  readonly close: () => Promise<void>;
}

/** A socket can't be opened by its path; `sshd` and Node start programs with one as their stdin. */
async function openToRead(path: string, stats: Stats): Promise<OpenFile> {
  const descriptor = stats.isSocket() ? openedAs(path) : undefined;
  if (descriptor !== undefined)
    return {
      read: (buffer) => promisify(read)(descriptor, buffer, 0, buffer.length, null),
      close: () => Promise.resolve(),
    };
  const file = await promises.open(path, constants.O_RDONLY);
  return { read: (buffer) => file.read(buffer, 0, buffer.length, null), close: () => file.close() };
}

export async function* readPieces(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stats = await promises.stat(path);
  if (isNamedPipe(path, stats)) throw Object.assign(new Error(`${path} is a pipe`), { code: "ESPIPE" });
  yield* readChunks(path, stats, signal);
}

/** Opening a named pipe, even through a link, waits for a writer, and no signal ends that wait. */
function isNamedPipe(path: string, stats: Stats): boolean {
  return stats.isFIFO() && !isOpenedAlready(path);
}
