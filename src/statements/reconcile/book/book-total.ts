import { Decimal } from "../../../values/money/decimal.ts";
import { quote } from "../../../values/text/text.ts";

/** What books write before a sum, also in Swahili. */
const totalWords = /^(?:(?:grand |sub-?)?totals?|sum|jumla)(?:[ :].*)?$/i;

/** A line that may be the total of those above it. */
export interface TotalLine {
  readonly line: number;
  readonly amount: Decimal | undefined;
  readonly debit: Decimal | undefined;
  readonly credit: Decimal | undefined;
}

/** True where a row without a day may be a total: its reference and its day are empty, or a word for one. */
export function isTotal({ reference, day }: { readonly reference: string; readonly day: string }): boolean {
  return [reference, day].every((text) => text === "" || totalWords.test(text));
}

/** Sums of a book's rows, to recognize a total line below them. */
export class BookSums {
  #net = Decimal.zero;
  #gross = Decimal.zero;
  #debits = Decimal.zero;
  #credits = Decimal.zero;

  add(change: Decimal): void {
    this.#net = this.#net.add(change);
    this.#gross = this.#gross.add(change.abs());
  }

  addSides(debit: Decimal | undefined, credit: Decimal | undefined): void {
    if (debit !== undefined) this.#debits = this.#debits.add(debit);
    if (credit !== undefined) this.#credits = this.#credits.add(credit);
  }

  /** What does not fit, in words; undefined where the total is that of the rows. */
  violation({ amount, debit, credit }: TotalLine, isDirected: boolean): string | undefined {
    if (debit !== undefined || credit !== undefined) {
      const sides = [
        ["debits", debit, this.#debits],
        ["credits", credit, this.#credits],
      ] as const;
      const wrong = sides.find(([, said, sum]) => said !== undefined && said.compare(sum) !== 0);
      return wrong && words(wrong[0], wrong[1], wrong[2]);
    }
    const fits = amount?.compare(this.#net) === 0 || (isDirected && amount?.compare(this.#gross) === 0);
    return fits ? undefined : words("rows", amount, this.#net);
  }
}

function words(what: string, said: Decimal | undefined, sum: Decimal): string {
  return `has no day, and isn't a total either: the ${what} above it add up to ${sum.toString()}, and it says ${quote(said?.toString() ?? "")}`;
}
