import type { ThousandsMark } from "../../../values/book-writing.ts";
import { quotedMark } from "../../../values/book-writing.ts";
import { quote } from "../../../values/text/text.ts";
import type { WrittenAmount } from "./book-form.ts";

/** The place of an amount, in words. */
export interface PlacedAmount {
  readonly where: string;
  readonly text: string;
}

/** Cells of one kind: how many, and the first of them. */
interface Seen {
  count: number;
  readonly first: PlacedAmount[];
}

/** How many cells are listed. */
const listedMaxCount = 50;

/**
 * The thousands separator of a book: as set, or the one on which all amounts agree. `1,000` is a thousand only where no
 * other amount contradicts it.
 */
export class Thousands {
  readonly #said: ThousandsMark | undefined;
  readonly #marks = new Map<ThousandsMark, Seen>();
  #runTogetherCount = 0;

  constructor(said: ThousandsMark | undefined) {
    this.#said = said;
  }

  see({ thousands, isRunTogether }: WrittenAmount, placed: () => PlacedAmount): void {
    if (isRunTogether) this.#runTogetherCount += 1;
    if (thousands === undefined || thousands === this.#said) return;
    const seen = this.#marks.get(thousands) ?? { count: 0, first: [] };
    this.#marks.set(thousands, seen);
    seen.count += 1;
    if (seen.first.length < listedMaxCount) seen.first.push(placed());
  }

  /** The detected separator; undefined where there is none, or amounts contradict each other. */
  get recognised(): ThousandsMark | undefined {
    const [mark] = this.#marks.keys();
    return this.#isAgreed ? mark : undefined;
  }

  get #isAgreed(): boolean {
    return this.#said === undefined && this.#marks.size === 1 && this.#runTogetherCount === 0;
  }

  /** The cells that cannot be read because they do not agree. */
  faults(): { readonly count: number; readonly listed: readonly (readonly [place: string, what: string])[] } {
    if (this.#isAgreed) return { count: 0, listed: [] };
    const all = [...this.#marks];
    const listed = all.flatMap(([mark, { first }]) =>
      first.map(({ where, text }): readonly [string, string] => [
        where,
        `${quote(text)} has separators between its digits: if all are meant so, add --book-thousands ${quotedMark(mark)}`,
      ]),
    );
    return { count: all.reduce((sum, [, { count }]) => sum + count, 0), listed: listed.slice(0, listedMaxCount) };
  }
}
