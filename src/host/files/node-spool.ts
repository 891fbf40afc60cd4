import { promises } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Spool } from "./files.ts";
import { writeAll } from "./node-draft.ts";
import { randomName } from "./random-name.ts";
import { SlabWriter } from "./buffered-writer.ts";
import { limitYoungGeneration } from "../process/gc-tuning.ts";

/** The size of pieces. V8 would move larger ones to its old generation, which needs 50 MB more. */
const chunkBytes = 64 * 1024;
/** Pieces per read: fewer, larger reads are faster. */
const piecesOfBlock = 4;

/** A spool whose file is unlinked as soon as it is created, so that it disappears however the process ends. */
export class NodeSpool implements Spool {
  readonly #memoryMaxBytes: number;
  readonly #writer = new SlabWriter((bytes) => this.#keep(bytes));
  #memory: Uint8Array[] = [];
  #memoryBytes = 0;
  #file: FileHandle | undefined;
  #discarded = false;

  constructor(memoryMaxBytes: number) {
    this.#memoryMaxBytes = memoryMaxBytes;
  }

  get sizeBytes(): number {
    return this.#writer.writtenBytes;
  }

  write(bytes: Uint8Array | string): Promise<void> {
    return this.#discarded ? Promise.reject(new Error("The spool is discarded")) : this.#writer.write(bytes);
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  async *chunks(pieceMaxBytes = chunkBytes): AsyncGenerator<Uint8Array> {
    if (this.#discarded) throw new Error("The spool is discarded");
    await this.flush();
    if (this.#file !== undefined) yield* readFrom(this.#file, this.sizeBytes, pieceMaxBytes);
    else for (const part of this.#memory) yield* piecesOf(part, pieceMaxBytes);
  }

  async discard(): Promise<void> {
    if (this.#discarded) return;
    this.#discarded = true;
    await this.flush().catch(() => undefined);
    this.#memory = [];
    await this.#file?.close();
  }

  async #keep(bytes: Uint8Array): Promise<void> {
    if (this.#file === undefined && this.#memoryBytes + bytes.length <= this.#memoryMaxBytes) {
      this.#memory.push(bytes);
      this.#memoryBytes += bytes.length;
      return;
    }
    if (this.#file === undefined) await this.#moveToFile();
    if (this.#file !== undefined) await writeAll(this.#file, bytes);
  }

  async #moveToFile(): Promise<void> {
    const file = await openUnnamed();
    this.#file = file;
    for (const part of this.#memory) await writeAll(file, part);
    this.#memory = [];
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `partner-${randomName()}.spool`);
  const file = await promises.open(path, "wx+", 0o600);
  await promises.unlink(path);
  return file;
}

/** Reads the next block while the pieces of one are in use; the third block reuses the memory of the first. */
async function* readFrom(file: FileHandle, sizeBytes: number, pieceMaxBytes: number): AsyncGenerator<Uint8Array> {
  const blockBytes = Math.min(piecesOfBlock * pieceMaxBytes, sizeBytes);
  let [next, spare] = [Buffer.allocUnsafeSlow(blockBytes), Buffer.allocUnsafeSlow(blockBytes)];
  let reading = readBlock(file, next, 0, sizeBytes);
  for (let at = 0; at < sizeBytes;) {
    const bytesRead = await reading;
    at += bytesRead;
    const block = next.subarray(0, bytesRead);
    [next, spare] = [spare, next];
    reading = readBlock(file, next, at, sizeBytes);
    limitYoungGeneration();
    yield* piecesOf(block, pieceMaxBytes);
  }
}

function* piecesOf(bytes: Uint8Array, pieceMaxBytes: number): Generator<Uint8Array> {
  for (let done = 0; done < bytes.length; done += pieceMaxBytes) yield bytes.subarray(done, done + pieceMaxBytes);
}

/** 0 at the end of the file. The error goes to the code that awaits it. */
function readBlock(file: FileHandle, buffer: Buffer, at: number, sizeBytes: number): Promise<number> {
  const wanted = Math.min(buffer.length, sizeBytes - at);
  if (wanted === 0) return Promise.resolve(0);
  const reading = file.read(buffer, 0, wanted, at).then(({ bytesRead }) => {
    if (bytesRead === 0) throw new Error("The temporary file is shorter than what was written to it");
    return bytesRead;
  });
  reading.catch(() => undefined);
  return reading;
}
