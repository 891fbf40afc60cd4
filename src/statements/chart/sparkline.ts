import type { CurveSlice } from "./balance-curve.ts";
import { rangeOf } from "./balance-curve.ts";

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** The balance in one line, a block for each slice: its last balance there, between the lowest and the highest. */
export function sparkline(slices: readonly CurveSlice[]): string {
  const { low, high } = rangeOf(slices);
  const top = blocks.length - 1;
  return slices
    .map(({ last }) => blocks[high === low ? Math.floor(top / 2) : Math.round(((last - low) / (high - low)) * top)])
    .join("");
}
