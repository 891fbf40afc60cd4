import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** So many rows are packed together: enough to pack well, few enough to unpack one of them at once. */
const blockRows = 512;

/** What a row says besides its numbers. */
export interface RowTexts {
  readonly narration: string;
  readonly counterparty: string;
}

export const noTexts: RowTexts = { narration: "", counterparty: "" };

/**
 * The narrations of a side, row by row. A million of them are 40 MB as text and a tenth of that packed; they are
 * needed once or twice, in their order.
 */
export class PackedTexts {
  readonly #blocks: (Buffer | undefined)[] = [];
  #open: string[] = [];
  #unpacked = -1;
  #texts: readonly string[] = [];

  /** Takes in the texts of the next row. */
  add({ narration, counterparty }: RowTexts): void {
    this.#open.push(narration, counterparty);
    if (this.#open.length < 2 * blockRows) return;
    this.#blocks.push(packed(this.#open));
    this.#open = [];
  }

  of(row: number): RowTexts {
    const block = Math.floor(row / blockRows);
    const texts = block === this.#blocks.length ? this.#open : this.#unpack(block);
    const at = 2 * (row % blockRows);
    return { narration: texts[at] ?? "", counterparty: texts[at + 1] ?? "" };
  }

  #unpack(block: number): readonly string[] {
    if (block === this.#unpacked) return this.#texts;
    this.#unpacked = block;
    const bytes = this.#blocks[block];
    this.#texts = bytes === undefined ? [] : JSON.parse(zstdDecompressSync(bytes).toString("utf8"));
    return this.#texts;
  }
}

/** Undefined for a block without a text. */
function packed(texts: readonly string[]): Buffer | undefined {
  return texts.every((text) => text === "") ? undefined : zstdCompressSync(JSON.stringify(texts));
}
