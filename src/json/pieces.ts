import { isUtf8 } from "node:buffer";
import { JsonError } from "./json-error.ts";
import { JsonReader } from "./reader.ts";
import { MoreNeeded } from "./tokens.ts";

const startBytes = 4 * 1024;

/** A JSON document that arrives in pieces, and is read part by part; only the current part is in memory. */
export class JsonPieces {
  readonly #source: AsyncGenerator<Uint8Array, void>;
  readonly #reader = new JsonReader();
  /** Reused for each piece: values that were read are copies. */
  #room = Buffer.allocUnsafeSlow(startBytes);
  #held = this.#room.subarray(0, 0);
  #isAll = false;
  #position = 0;

  constructor(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.#source = iterate(pieces);
  }

  /** How many bytes have been read. */
  get position(): number {
    return this.#position;
  }

  /**
   * Reads one part, starting over each time that more of it has arrived. The text at least doubles between attempts: a
   * long part in small pieces needs a few attempts, not one for each piece.
   * @throws {JsonError} if the part isn't JSON; with `problem`, if it is longer than `maxBytes`
   */
  async read<Part>(readPart: (reader: JsonReader) => Part, maxBytes: number, problem: string): Promise<Part> {
    for (;;) {
      // Decoding everything at once takes a fraction of the time of decoding each string.
      const whole = this.#isAll ? this.#held : withoutCutCharacter(this.#held);
      const isBytes = !isUtf8(whole);
      const text = whole.toString(isBytes ? "latin1" : "utf8");
      this.#reader.load({ text, isAll: this.#isAll, isBytes, offset: this.#position });
      try {
        const part = readPart(this.#reader);
        const { bytesRead } = this.#reader;
        this.#position += bytesRead;
        this.#held = this.#held.subarray(bytesRead);
        return part;
      } catch (error) {
        if (!(error instanceof MoreNeeded)) throw error;
      }
      if (this.#held.length > maxBytes) throw new JsonError(problem, this.#position + this.#held.length);
      await this.#hold(Math.min(this.#held.length * 2, maxBytes));
    }
  }

  /** Closes the source, wherever reading ended. */
  async close(): Promise<void> {
    await this.#source.return();
  }

  /** Reads pieces until more than `bytes` are held, or all have arrived. */
  async #hold(bytes: number): Promise<void> {
    this.#room.set(this.#held);
    let { length } = this.#held;
    while (length <= bytes && !this.#isAll) {
      const next = await this.#source.next();
      if (next.done === true) {
        this.#isAll = true;
      } else {
        this.#makeRoom(length, next.value.length);
        this.#room.set(next.value, length);
        length += next.value.length;
      }
    }
    this.#held = this.#room.subarray(0, length);
  }

  #makeRoom(length: number, more: number): void {
    if (length + more <= this.#room.length) return;
    const room = Buffer.allocUnsafeSlow(Math.max(length + more, 2 * this.#room.length));
    room.set(this.#room.subarray(0, length));
    this.#room = room;
  }
}

/** Iterates both kinds of sources in one way, and closes both. */
async function* iterate(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}

const characterMaxBytes = 4;

/** The bytes without the beginning of a UTF-8 character at their end. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back < characterMaxBytes && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : characterMaxBytes;
    return length > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}
