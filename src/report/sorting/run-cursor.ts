import type { Spool } from "../../host/files/files.ts";
import { textLines } from "../../values/text/text-lines.ts";
import type { Ranks, SortOrder } from "./sort.ts";
import { rowUnpacker } from "./row-encoding.ts";
import type { Row } from "../report.ts";

/** The size of one read of a run: all runs are read at the same time. */
const pieceMaxBytes = 32 * 1024;

/** Reads a run: its next row, and that row's ranks. Rows read ahead stay encoded. */
export class RunCursor {
  readonly #run: number;
  readonly #order: SortOrder;
  readonly #pieces: AsyncGenerator<readonly string[]>;
  readonly #unpack = rowUnpacker();
  #lines: readonly string[] = [];
  #next = 0;
  #row: Row = {};
  #ranks: Ranks = [];

  /** @param run the run's number: earlier runs have earlier rows */
  constructor(run: number, spool: Spool, order: SortOrder) {
    this.#run = run;
    this.#order = order;
    this.#pieces = textLines(spool.chunks(pieceMaxBytes));
  }

  get row(): Row {
    return this.#row;
  }

  /** True where this row comes first; equal rows stay in the order in which they came. */
  isBefore(other: RunCursor): boolean {
    const difference = this.#order.compare(this.#ranks, other.#ranks) || this.#run - other.#run;
    return difference < 0;
  }

  /** Moves to the next row; false where it has to be loaded first. */
  advance(): boolean {
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      this.#next += 1;
      const row = this.#unpack(line);
      if (row === undefined) continue;
      this.#row = row;
      this.#ranks = this.#order.ranksOf(row);
      return true;
    }
    return false;
  }

  /** Loads and moves to the next row; false where there is none. */
  async load(): Promise<boolean> {
    for (let next = await this.#pieces.next(); next.done !== true; next = await this.#pieces.next()) {
      this.#lines = next.value;
      this.#next = 0;
      if (this.advance()) return true;
    }
    return false;
  }
}
