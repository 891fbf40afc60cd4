import type { JsonObject } from "../../values/json.ts";
import { rowPacker, rowUnpacker } from "./row-encoding.ts";
import type { Row } from "../report.ts";

const startBytes = 64 * 1024;
/** The most bytes of UTF-8 that one unit of a string can take. */
const unitMaxBytes = 3;
const lineEnd = "\n";

/**
 * Rows that wait in memory, packed side by side: as objects, they would need several times as much, and move to V8's
 * old generation. Their memory is reused after `clear`.
 */
export class EncodedRows {
  readonly #pack = rowPacker();
  #bytes = Buffer.allocUnsafeSlow(startBytes);
  /** Where each row's line ends, line end included; it starts where the one before ends. */
  #ends: number[] = [];
  #names: string[] = [];
  #chars = 0;

  get count(): number {
    return this.#ends.length;
  }

  get chars(): number {
    return this.#chars;
  }

  add(row: Row): void {
    const { names, values } = this.#pack(row);
    const start = this.#startOf(this.count);
    this.#makeRoom(start + values.length * unitMaxBytes + lineEnd.length);
    this.#ends.push(start + this.#bytes.write(values + lineEnd, start));
    this.#chars += values.length + (names === this.#names.at(-1) ? 0 : names.length);
    this.#names.push(names);
  }

  /** The rows at these positions, counted from 0. */
  rows(places: readonly number[]): JsonObject[] {
    const unpack = rowUnpacker();
    const rows: JsonObject[] = [];
    let last = "";
    for (const at of places) {
      const names = this.#names[at] ?? "";
      if (names !== last) unpack(names);
      last = names;
      const row = unpack(this.#bytes.toString("utf8", this.#startOf(at), this.#startOf(at + 1) - lineEnd.length));
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** The lines of the rows at these positions, with a line of names wherever the names change. */
  *lines(places: readonly number[]): Generator<Uint8Array | string> {
    let last = "";
    for (const at of places) {
      const names = this.#names[at] ?? "";
      if (names !== last) yield names + lineEnd;
      last = names;
      yield this.#bytes.subarray(this.#startOf(at), this.#startOf(at + 1));
    }
  }

  clear(): void {
    this.#ends = [];
    this.#names = [];
    this.#chars = 0;
  }

  #startOf(at: number): number {
    return this.#ends[at - 1] ?? 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#startOf(this.count)));
    this.#bytes = larger;
  }
}
