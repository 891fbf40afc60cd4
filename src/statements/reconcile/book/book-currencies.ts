import { visible } from "../../../values/text/text.ts";

/** What a column of currencies is usually called. */
const usualNames = new Set(["currency", "currencycode", "currency code", "ccy"]);
/** Usual words for a currency that aren't its code. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["TSH", "TZS"],
  ["TSHS", "TZS"],
  ["KSH", "KES"],
  ["KSHS", "KES"],
]);

/** As many places of a currency are kept. */
const placesMaxCount = 50;

/** A row's currency, as it is written. */
interface Place {
  readonly place: string;
  readonly text: string;
}

/** The currencies that a book says its rows are in. */
export class BookCurrencies {
  readonly #column: number;
  readonly #name: string;
  /** By code. */
  readonly #places = new Map<string, Place[]>();

  constructor(header: readonly string[]) {
    this.#column = header.findIndex((name) => usualNames.has(name.trim().toLowerCase()));
    this.#name = header[this.#column] ?? "";
  }

  /** Their codes, in the order of the book. */
  get codes(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** Takes note of a row; an empty cell says nothing. */
  see(line: number, cells: readonly string[]): void {
    const text = cells[this.#column]?.trim() ?? "";
    if (text === "") return;
    const code = otherWords.get(text.toUpperCase()) ?? text.toUpperCase();
    const places = this.#places.get(code);
    if (places === undefined) this.#places.set(code, [{ place: this.#placeOf(line), text }]);
    else if (places.length < placesMaxCount) places.push({ place: this.#placeOf(line), text });
  }

  /** Where the book has such a currency: the first rows of each. */
  placesOf(isWanted: (code: string) => boolean): readonly Place[] {
    return [...this.#places].flatMap(([code, places]) => (isWanted(code) ? places : []));
  }

  #placeOf(line: number): string {
    return `line ${line}, ${visible(this.#name)}`;
  }
}
