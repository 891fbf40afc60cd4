import type { Decimal } from "../../values/money/decimal.ts";
import type { Period } from "../../values/time/period.ts";
import { momentOf } from "../../values/time/wall-time.ts";

/** A balance within a slice of the period. For drawing, where a double is exact enough. */
export interface CurveSlice {
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

const secondsPerDay = 86_400;

/**
 * The balance over a period, in as many slices as a drawing has columns: its size does not depend on the number of
 * rows. Between two rows a balance does not change, so its curve is made of steps.
 */
export class BalanceCurve {
  readonly #start: number;
  readonly #slicesPerSecond: number;
  /** In the order in which the rows came. */
  readonly #slices: (CurveSlice | undefined)[];

  constructor({ startDate, endDate }: Period, slices: number) {
    this.#start = startDate.serial;
    this.#slicesPerSecond = slices / ((startDate.daysUntil(endDate) + 1) * secondsPerDay);
    this.#slices = Array.from({ length: slices }, () => undefined);
  }

  /** A row's balance. One from outside of the period counts at its edge; one without a day cannot be placed. */
  look(timestamp: string, balance: Decimal): void {
    const moment = momentOf(timestamp);
    if (moment === undefined) return;
    const seconds = (moment.day.serial - this.#start) * secondsPerDay + moment.seconds;
    const index = Math.min(Math.max(Math.floor(seconds * this.#slicesPerSecond), 0), this.#slices.length - 1);
    const value = Number(balance.toString());
    const { first = value, low = value, high = value } = this.#slices[index] ?? {};
    this.#slices[index] = { first, last: value, low: Math.min(low, value), high: Math.max(high, value) };
  }

  /**
   * Every slice of the period, oldest first; one without a row continues the balance before it.
   * @param opening balance before the first row
   */
  slices(opening: Decimal | undefined, newestFirst: boolean): readonly CurveSlice[] {
    const inOrder = this.#slices.map((slice) =>
      slice && newestFirst ? { ...slice, first: slice.last, last: slice.first } : slice,
    );
    const start = opening === undefined ? inOrder.find((slice) => slice !== undefined)?.first : Number(opening);
    if (start === undefined) return [];
    let current = start;
    return inOrder.map((slice) => {
      const before = current;
      current = slice?.last ?? current;
      const low = Math.min(before, slice?.low ?? before);
      return { first: before, last: current, low, high: Math.max(before, slice?.high ?? before) };
    });
  }
}

/** The same curve in fewer slices. */
export function narrowed(slices: readonly CurveSlice[], count: number): readonly CurveSlice[] {
  if (count >= slices.length) return slices;
  const startOf = (index: number) => Math.floor((index * slices.length) / count);
  return Array.from({ length: count }, (_, index) => {
    const part = slices.slice(startOf(index), startOf(index + 1));
    return { first: part[0]?.first ?? 0, last: part.at(-1)?.last ?? 0, ...rangeOf(part) };
  });
}

/** The lowest and the highest balance. */
export function rangeOf(slices: readonly CurveSlice[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const slice of slices) {
    low = Math.min(low, slice.low);
    high = Math.max(high, slice.high);
  }
  return { low, high };
}
