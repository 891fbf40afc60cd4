import { wordPlaces } from "../../../values/text/whole-words.ts";
import type { RowStores } from "../matching/sides.ts";
import { compareRows } from "../matching/sides.ts";
import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";
import type { RowNames } from "./names.ts";
import type { ResultRow } from "./result.ts";

/** The most references of the book for which narrations are searched. */
const namesMax = 100_000;

/** How the best candidate of an unmatched row nearly matched. */
export class NearMisses {
  readonly #sides: RowStores;
  readonly #names: RowNames;
  readonly #alone = new Map<RowStore, ReadonlyMap<number, readonly number[]>>();
  #references: ReadonlyMap<string, number> | undefined;

  constructor(sides: RowStores, names: RowNames) {
    this.#sides = sides;
    this.#names = names;
  }

  of({ class: name, row, entry }: ResultRow): string | undefined {
    const { statement, book } = this.#sides;
    if (name === "only in statement" && row !== undefined && statement.hasAmount(row))
      return this.#named(row) ?? this.#sameAmount(statement, row, book) ?? this.#swapped(statement, row, book);
    if (name === "only in book" && entry !== undefined)
      return this.#sameAmount(book, entry, statement) ?? this.#swapped(book, entry, statement);
    if (name === "differing" && row !== undefined && entry !== undefined && this.#isSwap(row, entry))
      return "two digits may be swapped";
    return undefined;
  }

  /** Its narration names an entry that has another amount. */
  #named(row: number): string | undefined {
    const { statement, book } = this.#sides;
    this.#references ??= this.#readReferences();
    const { narration } = statement.textsOf(row);
    const places = this.#references.size === 0 ? [] : wordPlaces(narration);
    for (const [from, { start }] of places.entries())
      for (const { end } of places.slice(from, from + 4).toReversed()) {
        const entry = this.#references.get(narration.slice(start, end).toLowerCase());
        if (entry === undefined) continue;
        return `names ${this.#names.ofEntry(entry)} in the book, which has ${this.#names.amountOf(book, entry)}`;
      }
    return undefined;
  }

  #readReferences(): ReadonlyMap<string, number> {
    const { book, texts } = this.#sides;
    const found = new Map<string, number>();
    for (let entry = 0; entry < book.count && found.size < namesMax; entry += 1)
      if (isAlone(book, entry) && book.referenceOf(entry) !== 0)
        found.set(texts.textOf(book.referenceOf(entry)).toLowerCase(), entry);
    return found;
  }

  /** A row of the other side has the amount, but not the day. */
  #sameAmount(side: RowStore, row: number, other: RowStore): string | undefined {
    const near = nearest(side.dayOf(row), this.#aloneOf(other).get(side.amountOf(row)) ?? [], other);
    if (near === undefined || side.dayOf(row) === noDay) return undefined;
    const where = other === this.#sides.book ? "book" : "statement";
    return `the ${where} has the same amount ${this.#nameOf(other, near)}`;
  }

  /** A row of the other side has the amount with two digits swapped. */
  #swapped(side: RowStore, row: number, other: RowStore): string | undefined {
    const { windowDays } = this.#sides.span;
    for (const amount of swaps(side.amountOf(row))) {
      const near = nearest(side.dayOf(row), this.#aloneOf(other).get(amount) ?? [], other);
      if (near === undefined || Math.abs(other.dayOf(near) - side.dayOf(row)) > windowDays) continue;
      const where = other === this.#sides.book ? "book" : "statement";
      return `the ${where} has ${this.#names.amountOf(other, near)} ${this.#nameOf(other, near)}: two digits may be swapped`;
    }
    return undefined;
  }

  #isSwap(row: number, entry: number): boolean {
    const { statement, book } = this.#sides;
    return swaps(statement.amountOf(row)).includes(book.amountOf(entry));
  }

  #nameOf(side: RowStore, row: number): string {
    return side === this.#sides.book ? this.#names.ofEntry(row) : this.#names.ofRow(row);
  }

  #aloneOf(side: RowStore): ReadonlyMap<number, readonly number[]> {
    const known = this.#alone.get(side);
    if (known !== undefined) return known;
    const rows: number[] = [];
    for (let row = 0; row < side.count; row += 1) if (isAlone(side, row) && side.hasAmount(row)) rows.push(row);
    rows.sort((a, b) => compareRows(this.#sides, side, a, b));
    const found = Map.groupBy(rows, (row) => side.amountOf(row));
    this.#alone.set(side, found);
    return found;
  }
}

function isAlone(side: RowStore, row: number): boolean {
  const verdict = side.verdictOf(row);
  return side.partnerOf(row) === undefined && (verdict === "only in book" || verdict === "only in statement");
}

/** The row of the nearest day, of rows ordered by day; of two equally near, the earlier. */
function nearest(day: number, rows: readonly number[], side: RowStore): number | undefined {
  let [first, end] = [0, rows.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (side.dayOf(rows[middle] ?? 0) < day) first = middle + 1;
    else end = middle;
  }
  const [before, after] = [rows[first - 1], rows[first]];
  if (before === undefined || after === undefined) return before ?? after;
  return day - side.dayOf(before) <= side.dayOf(after) - day ? before : after;
}

/** The amounts with two adjacent digits of it swapped; none where it isn't whole hundredths. */
function swaps(code: number): number[] {
  if (!Number.isInteger(code)) return [];
  const digits = Array.from(String(Math.abs(code)));
  const swapped = digits.slice(1).flatMap((digit, index) => {
    const before = digits[index] ?? "";
    if (before === digit) return [];
    return [
      Math.sign(code) *
        Number(
          digits
            .with(index, digit)
            .with(index + 1, before)
            .join(""),
        ),
    ];
  });
  return swapped;
}
