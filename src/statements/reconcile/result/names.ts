import { Day } from "../../../values/time/day.ts";
import type { RowStores } from "../matching/sides.ts";
import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";

/** How rows are named where others refer to them: by reference and day. */
export class RowNames {
  readonly #sides: RowStores;
  readonly #days = new Map<number, string>();

  constructor(sides: RowStores) {
    this.#sides = sides;
  }

  ofEntry(entry: number): string {
    return this.#name(this.#sides.book, entry);
  }

  ofRow(row: number): string {
    return this.#name(this.#sides.statement, row);
  }

  /** The digits of its amount. */
  amountOf(side: RowStore, row: number): string {
    return this.#sides.codes.textOf(side.amountOf(row), side.scaleOf(row));
  }

  day(day: number): string | null {
    if (day === noDay) return null;
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const text = new Day(day).toString();
    this.#days.set(day, text);
    return text;
  }

  #name(side: RowStore, row: number): string {
    const text = this.#sides.texts.textOf(side.referenceOf(row));
    const day = this.day(side.dayOf(row));
    return text === "" ? `on ${day ?? ""}` : `${text} on ${day ?? "no day"}`;
  }
}
