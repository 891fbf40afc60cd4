import type { Stats } from "node:fs";
import { constants, lstat, mkdir, open, unlink } from "node:fs/promises";
import type { FileFacts, Files } from "./files.ts";
import { FileTooLarge } from "./files.ts";
import { draftFile } from "./node-draft.ts";
import { takeLock } from "./node-lock.ts";
import { NodeSpool } from "./node-spool.ts";

const chunkBytes = 256 * 1024;

/** The machine's own file system. */
export function nodeFiles(): Files {
  return {
    read: readWhole,
    chunks: readChunks,
    facts: readFacts,
    draft: draftFile,
    async makeFolder(path, mode) {
      await mkdir(path, { recursive: true, mode });
    },
    remove: removeFile,
    lock: takeLock,
    spool: (memoryMaxBytes) => new NodeSpool(memoryMaxBytes),
  };
}

/** Reads to the end whatever the file says its size is: pipes, `/dev/stdin` and `/proc` say 0. */
async function readWhole(path: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of readChunks(path)) {
    total += part.length;
    if (total > maxBytes) throw new FileTooLarge(`${path} is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY);
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function readFacts(path: string): Promise<FileFacts | undefined> {
  try {
    const stats = await lstat(path);
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

function kindOf(stats: Stats): FileFacts["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** What is not there is removed already. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
