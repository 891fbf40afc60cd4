import { roomFor, startRows } from "../../packing/columns.ts";
import type { StoredRow } from "./stored-row.ts";

const bits = {
  /** It counts; others can only match. */
  inPeriod: 1,
  fee: 2,
  amountless: 4,
  perhaps: 8,
  far: 16,
  /** An earlier row has the same reference, amount and day. */
  repeated: 32,
  uncertain: 64,
  /** It was open at the end of an earlier month. */
  carried: 128,
  /** An earlier row has the same reference and amount, on another day. */
  recurring: 256,
  /** An earlier month was reconciled with it, as far as is known. */
  settled: 512,
} as const;
type Flag = keyof typeof bits;

/** Flags of each row of a side: two bytes each. */
export class RowFlags {
  #flags = new Uint16Array(startRows);

  add(row: number, { inPeriod, feeOf, amount, perhaps, isFar, isUncertain }: StoredRow): void {
    if (row === this.#flags.length) this.#flags = roomFor(row * 2, this.#flags, Uint16Array);
    this.#flags[row] =
      (inPeriod ? bits.inPeriod : 0) |
      (feeOf === undefined ? 0 : bits.fee) |
      (amount === undefined ? bits.amountless : 0) |
      (perhaps === true ? bits.perhaps : 0) |
      (isFar === true ? bits.far : 0) |
      (isUncertain === true ? bits.uncertain : 0);
  }

  has(row: number, flag: Flag): boolean {
    return ((this.#flags[row] ?? 0) & bits[flag]) !== 0;
  }

  set(row: number, flag: "repeated" | "recurring" | "carried" | "settled"): void {
    this.#flags[row] = (this.#flags[row] ?? 0) | bits[flag];
  }
}
