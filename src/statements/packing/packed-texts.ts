import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** How many rows are compressed together: enough to compress well, few enough to decompress for one of them. */
const blockRows = 2048;
/** Initial room for the texts of a block; it grows for longer texts. */
const blockBytes = 256 * 1024;
/** The most bytes that UTF-8 takes for a UTF-16 unit. */
const unitMaxBytes = 3;
const lengthBytes = 4;
const noTexts = ["", ""] as const;
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Two texts for each row. A million narrations are 60 MB as text and a tenth of that packed; they are needed once or
 * twice, in their order. They are copied at once, because a text may keep in memory the megabyte that it was cut from.
 */
export class PackedTexts {
  readonly #blocks: (Uint8Array | undefined)[] = [];
  #bytes: Buffer | undefined;
  #used = 0;
  /** Where each text of the open block ends. */
  readonly #ends = new Int32Array(2 * blockRows);
  #count = 0;
  #unpacked = -1;
  #texts: Buffer = Buffer.alloc(0);
  #textEnds = new Int32Array(0);

  /** Adds the texts of the next row. */
  add(first: string, second: string): void {
    const at = 2 * (this.#count % blockRows);
    this.#ends[at] = this.#write(first);
    this.#ends[at + 1] = this.#write(second);
    this.#count += 1;
    if (this.#count % blockRows !== 0) return;
    this.#blocks.push(this.#packed());
    this.#used = 0;
  }

  of(row: number): readonly [first: string, second: string] {
    const block = Math.floor(row / blockRows);
    const isOpen = block === this.#blocks.length;
    if (!isOpen) this.#unpack(block);
    const [bytes, ends] = isOpen ? [this.#bytes, this.#ends] : [this.#texts, this.#textEnds];
    if (bytes === undefined || bytes.length === 0) return noTexts;
    const at = 2 * (row % blockRows);
    const [start = 0, middle = 0, end = 0] = [at === 0 ? 0 : ends[at - 1], ends[at], ends[at + 1]];
    return [bytes.toString("utf8", start, middle), middle === end ? "" : bytes.toString("utf8", middle, end)];
  }

  /** @returns where the text ends */
  #write(text: string): number {
    if (text === "") return this.#used;
    this.#bytes ??= Buffer.allocUnsafeSlow(blockBytes);
    if (this.#used + text.length * unitMaxBytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#used + text.length * unitMaxBytes));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    this.#used += this.#bytes.write(text, this.#used, "utf8");
    return this.#used;
  }

  /** The ends and the texts after them; undefined for a block without a text. */
  #packed(): Uint8Array | undefined {
    if (this.#used === 0 || this.#bytes === undefined) return undefined;
    const ends = Buffer.from(this.#ends.buffer);
    // Copied, since the result may be a part of a larger buffer.
    return Uint8Array.from(zstdCompressSync(Buffer.concat([ends, this.#bytes.subarray(0, this.#used)]), packing));
  }

  #unpack(block: number): void {
    if (block === this.#unpacked) return;
    this.#unpacked = block;
    const packed = this.#blocks[block];
    const whole = packed === undefined ? Buffer.alloc(0) : zstdDecompressSync(packed);
    const endsBytes = 2 * blockRows * lengthBytes;
    this.#texts = whole.subarray(endsBytes);
    this.#textEnds = new Int32Array(whole.length === 0 ? 0 : 2 * blockRows);
    if (whole.length > 0) Buffer.from(this.#textEnds.buffer).set(whole.subarray(0, endsBytes));
  }
}
