import { DamageError } from "../../../storage/failures.ts";

// Whole numbers as bytes: seven bits each, the lowest first; the highest bit says that more follow.

const [more, sevenBits] = [0x80, 0x7f];
const numberMaxBytes = 8;

/** Writes such numbers, one after the other. */
export class ByteWriter {
  #bytes = new Uint8Array(2 ** 13);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  put(number: number): void {
    if (this.#length + numberMaxBytes > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    let rest = number;
    while (rest > sevenBits) {
      this.#bytes[this.#length++] = (rest % more) | more;
      rest = Math.floor(rest / more);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Takes the bytes, and starts again. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Where the next number begins. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** @throws {DamageError} at the end */
  next(): number {
    let [number, factor] = [0, 1];
    for (let count = 0; count < numberMaxBytes; count += 1) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      number += (byte & sevenBits) * factor;
      if (byte < more) return number;
      factor *= more;
    }
    throw damage();
  }

  /** @throws {DamageError} where fewer are left */
  skip(count: number): void {
    for (let left = count; left > 0; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw damage();
      if (byte < more) left -= 1;
    }
  }
}

function damage(): DamageError {
  return new DamageError("an index is not what was written");
}
