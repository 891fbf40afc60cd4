import { foldCase, wordPlaces } from "../../../values/text/whole-words.ts";
import { StringTable } from "../rows/string-table.ts";
import { Chains } from "./chains.ts";
import type { RowStores } from "./sides.ts";

/** A reference that more rows or entries than this share identifies none of them. */
const sharedMaxCount = 500;
/** A reference of more words than this is not looked for. */
const wordsMax = 12;

/**
 * References of the book's open entries in narrations of open rows, as whole words, ignoring case. Where a longer
 * reference contains a shorter one, the longer one counts, whether it is open or not.
 */
export class Mentions {
  readonly #sides: RowStores;
  /** Open references of the book, with their case folded. */
  readonly #names = new StringTable();
  /** Their first words, and for each the most words of a reference that begins with it. */
  readonly #firsts = new StringTable();
  #wordCounts: number[] = [];
  readonly #nameOfEntry: Int32Array;
  readonly #entries: Chains;
  readonly #ofRow = new Map<number, readonly number[]>();
  readonly #rowsNaming = new Map<number, number[]>();
  readonly #common = new Set<number>();

  constructor(sides: RowStores) {
    this.#sides = sides;
    const { book, texts } = sides;
    this.#nameOfEntry = new Int32Array(book.count);
    for (const entry of book.openRows()) this.#nameOfEntry[entry] = this.#learn(texts.textOf(book.referenceOf(entry)));
    this.#entries = new Chains(book, this.#names.count, (entry) => this.#nameOfEntry[entry] ?? 0);
    if (this.#names.count > 1) this.#read();
    for (const name of this.#rowsNaming.keys()) if (this.#isCommon(name)) this.#common.add(name);
  }

  /** The open references that a row names, including its own, as ids. */
  namesIn(row: number): readonly number[] {
    const names = this.#ofRow.get(row) ?? [];
    return this.#common.size === 0 ? names : names.filter((name) => !this.#common.has(name));
  }

  /** Rows that name a reference, in their order. */
  rows(): readonly number[] {
    return [...this.#ofRow.keys()];
  }

  /** Every reference that is named, as an id. */
  names(): readonly number[] {
    return [...this.#rowsNaming.keys()].filter((name) => !this.#common.has(name));
  }

  rowsNaming(name: number): readonly number[] {
    return this.#rowsNaming.get(name) ?? [];
  }

  /** Entries that have this reference and are still open. */
  entriesOf(name: number): readonly number[] {
    return this.#entries.of(name).filter((entry) => this.#sides.book.isOpen(entry));
  }

  #isCommon(name: number): boolean {
    if (this.rowsNaming(name).length > sharedMaxCount) return true;
    let count = 0;
    for (let entry = this.#entries.firstOf(name); entry !== undefined; entry = this.#entries.after(entry)) {
      count += 1;
      if (count > sharedMaxCount) return true;
    }
    return false;
  }

  #learn(reference: string): number {
    const places = wordPlaces(reference);
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined || places.length > wordsMax) return 0;
    const word = this.#firsts.idOf(foldCase(reference.slice(first.start, first.end)));
    this.#wordCounts[word] = Math.max(this.#wordCounts[word] ?? 0, places.length);
    return this.#names.idOf(foldCase(reference.slice(first.start, last.end)));
  }

  #read(): void {
    const { statement, texts } = this.#sides;
    for (const row of statement.openRows()) {
      if (statement.isFee(row) || !statement.hasAmount(row)) continue;
      const named = new Set(this.#namedIn(statement.textsOf(row).narration));
      const own = this.#ownName(texts.textOf(statement.referenceOf(row)));
      if (own !== undefined) named.add(own);
      if (named.size === 0) continue;
      this.#ofRow.set(row, [...named]);
      for (const name of named) {
        const others = this.#rowsNaming.get(name);
        if (others === undefined) this.#rowsNaming.set(name, [row]);
        else others.push(row);
      }
    }
  }

  #ownName(reference: string): number | undefined {
    return this.#names.find(foldCase(reference.trim())) || undefined;
  }

  *#namedIn(narration: string): Generator<number> {
    const places = wordPlaces(narration);
    const folded = foldCase(narration);
    // Case folding can change a text's length, but only by letters that no reference has: such a text is searched
    // unfolded.
    const text = folded.length === narration.length ? folded : narration;
    for (let from = 0; from < places.length; from += 1) {
      const start = places[from];
      if (start === undefined) continue;
      const word = this.#firsts.find(text.slice(start.start, start.end));
      for (let count = word === undefined ? 0 : (this.#wordCounts[word] ?? 0); count > 0; count -= 1) {
        const end = places[from + count - 1];
        const name = end === undefined ? undefined : this.#names.find(text.slice(start.start, end.end));
        if (end === undefined || name === undefined || name === 0) continue;
        if (!this.#isWithinAnother(narration, places, from, from + count)) yield name;
        from += count - 1;
        break;
      }
    }
  }

  /** True where a longer known reference, open or not, contains the words. */
  #isWithinAnother(
    narration: string,
    places: readonly { readonly start: number; readonly end: number }[],
    from: number,
    to: number,
  ): boolean {
    for (let first = Math.max(0, from - 2); first <= from; first += 1) {
      for (let last = to; last <= Math.min(places.length, to + 2); last += 1) {
        if (first === from && last === to) continue;
        const text = narration.slice(places[first]?.start, places[last - 1]?.end);
        if (this.#isReference(text)) return true;
      }
    }
    return false;
  }

  #isReference(text: string): boolean {
    const { texts } = this.#sides;
    return texts.find(text) !== undefined || texts.find(text.toUpperCase()) !== undefined;
  }
}
