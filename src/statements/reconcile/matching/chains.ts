import type { RowStore } from "../rows/row-store.ts";

const noRow = -1;

/** The rows of a side that share a number, as linked lists in the order of the side. */
export class Chains {
  readonly #heads: Int32Array;
  readonly #next: Int32Array;

  /** @param numberOf 0 for a row that belongs to none */
  constructor(side: RowStore, numbersCount: number, numberOf: (row: number) => number) {
    this.#heads = new Int32Array(numbersCount).fill(noRow);
    this.#next = new Int32Array(side.count).fill(noRow);
    for (let row = side.count - 1; row >= 0; row -= 1) {
      const number = numberOf(row);
      if (number === 0) continue;
      this.#next[row] = this.#heads[number] ?? noRow;
      this.#heads[number] = row;
    }
  }

  firstOf(number: number): number | undefined {
    const row = this.#heads[number] ?? noRow;
    return row === noRow ? undefined : row;
  }

  after(row: number): number | undefined {
    const next = this.#next[row] ?? noRow;
    return next === noRow ? undefined : next;
  }

  /** All rows of the number. */
  of(number: number): number[] {
    const rows: number[] = [];
    for (let row = this.firstOf(number); row !== undefined; row = this.after(row)) rows.push(row);
    return rows;
  }
}
