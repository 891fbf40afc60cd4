import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { WireError } from "./transport.ts";
import { limitYoungGeneration, longBytes } from "../process/gc-tuning.ts";

/** Bytes that may wait for a slow reader before the wire is paused. */
const waitingMaxBytes = 256 * 1024;

/** What the reader of an answer does, reported to the wire. */
export interface ReaderSteps {
  /** It has taken everything. */
  onRoom(): void;
  /** It waits for more. */
  onWaiting(): void;
  /** It stopped or came to the end. */
  onLeft(): void;
}

/** The bytes of an answer, between the wire that pushes and the reader that pulls. */
export class ByteQueue {
  readonly #steps: ReaderSteps;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #receivedBytes = 0;
  #ending: { readonly error: unknown } | "whole" | undefined;
  #wake: (() => void) | undefined;

  constructor(steps: ReaderSteps) {
    this.#steps = steps;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** False when the wire should pause. */
  push(bytes: Uint8Array): boolean {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#receivedBytes += bytes.length;
    this.#wake?.();
    return this.#waitingBytes < waitingMaxBytes;
  }

  end(): void {
    this.#ending ??= "whole";
    this.#wake?.();
  }

  /** The reader gets the bytes before the error, and then the error. */
  fail(error: unknown): void {
    this.#ending ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#waitingBytes = 0;
        if (batch.length > 0) this.#steps.onRoom();
        yield* batch;
        if (this.#waiting.length > 0) continue;
        if (this.#ending === "whole") return;
        if (this.#ending !== undefined) throw this.#ending.error;
        this.#steps.onWaiting();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#steps.onLeft();
    }
  }
}

/**
 * The answer's body, decompressed, and never more than `maxBytes` of it: a small answer that unpacks into gigabytes
 * does no harm.
 * @throws {WireError} too large | protocol
 */
export async function* readAnswer(
  wire: ByteQueue,
  encoding: string | undefined,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const bytes of decompress(wire, encoding?.trim().toLowerCase() ?? "")) {
    total += bytes.length;
    if (total > longBytes) limitYoungGeneration();
    if (total > maxBytes)
      throw new WireError("too large", `The answer is larger than ${maxBytes} bytes`, { sent: true });
    yield bytes;
  }
}

async function* decompress(wire: ByteQueue, encoding: string): AsyncGenerator<Uint8Array> {
  if (encoding === "" || encoding === "identity") {
    yield* wire;
    return;
  }
  const pieces = wire[Symbol.asyncIterator]();
  const first = encoding === "deflate" ? await pieces.next() : undefined;
  const decoder = openDecoder(encoding, first?.value);
  const feeding = pipeline(joined(first, pieces), decoder);
  // The loop below gets the same error.
  feeding.catch(() => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (cause instanceof WireError) throw cause;
    // A missing body, as with 204, isn't a broken one.
    if (wire.receivedBytes === 0) return;
    throw new WireError("protocol", `The answer's ${encoding} compression is broken`, { sent: true, cause });
  }
}

/** The piece that was already read, and those after it. */
async function* joined(
  first: IteratorResult<Uint8Array> | undefined,
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first !== undefined && first.done !== true) yield first.value;
  yield* others;
}

function openDecoder(encoding: string, start: Uint8Array | undefined): Transform {
  const zlib = process.getBuiltinModule("node:zlib");
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "br":
      return zlib.createBrotliDecompress();
    case "deflate":
      return isBare(start) ? zlib.createInflateRaw() : zlib.createInflate();
    default:
      throw new WireError("protocol", "The answer is compressed in a way that was not asked for", { sent: true });
  }
}

/** By `deflate`, RFC 9110 means zlib's format; some servers leave out its two-byte header, which this detects. */
function isBare(start: Uint8Array | undefined): boolean {
  return ((start?.[0] ?? zlibMark) & 0x0f) !== zlibMark;
}

const zlibMark = 8;
