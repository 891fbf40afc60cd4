import type { JsonObject } from "../../values/json.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { quote } from "../../values/text/text.ts";
import type { Measure } from "../check.ts";
import type { Entry } from "../entry.ts";
import { textIn } from "../entry.ts";
import { changeOf } from "./format.ts";

/** The balance of a row, with what moved in it and above it. */
interface Mark {
  readonly balance: Decimal;
  readonly change: Decimal;
  /** What moved in the rows above it. */
  readonly above: Decimal;
}

/**
 * Totals of a statement, from one pass over its rows in the order in which they came: sums, days, the balances at both
 * ends, and whether a file can represent all rows.
 */
export class StatementTotals implements Measure {
  rows = 0;
  credits = Decimal.zero;
  debits = Decimal.zero;
  /** Rows by their sign, sums without sign. */
  readonly entries = { credits: { count: 0, sum: Decimal.zero }, debits: { count: 0, sum: Decimal.zero } };
  /** The first currency in a row, where rows have one. Spec 2.3. */
  currency = "";
  /** The first row that no file can represent, in words. */
  unfit: string | undefined;
  /** The first row whose value date isn't a day, in words. */
  undated: string | undefined;
  earliestDay: string | undefined;
  #lastDay: string | undefined;
  #climbs = true;
  #falls = true;
  #top: Mark | undefined;
  #bottom: Mark | undefined;

  look(entry: Entry, day: string | undefined, row: JsonObject): void {
    this.rows += 1;
    const { credit, debit, balance } = entry;
    this.#lookAtCurrency(textIn(row, "currency"));
    if (credit === undefined || debit === undefined) this.unfit ??= this.#words(entry, "an amount isn't a number");
    if (day === undefined) this.undated ??= this.#words(entry, `value date ${quote(entry.valueDate)} isn't a day`);
    else this.#lookAtDay(day);
    const above = this.#change;
    this.#count((credit ?? Decimal.zero).subtract(debit ?? Decimal.zero));
    this.credits = this.credits.add(credit ?? Decimal.zero);
    this.debits = this.debits.add(debit ?? Decimal.zero);
    if (!balance) return;
    this.#bottom = { balance, above, change: this.#change.subtract(above) };
    this.#top ??= this.#bottom;
  }

  /** True where the days never go back in that order. */
  isChronological(newestFirst: boolean): boolean {
    return newestFirst ? this.#falls : this.#climbs;
  }

  /** What the account held before and after the rows; undefined where no row has a balance. */
  ends(newestFirst: boolean): { readonly opening: Decimal; readonly closing: Decimal } | undefined {
    const [top, bottom] = [this.#top, this.#bottom];
    if (top === undefined || bottom === undefined) return undefined;
    const below = this.#change.subtract(bottom.above).subtract(bottom.change);
    return newestFirst
      ? { opening: bottom.balance.subtract(bottom.change).subtract(below), closing: top.balance.add(top.above) }
      : { opening: top.balance.subtract(top.change).subtract(top.above), closing: bottom.balance.add(below) };
  }

  get #change(): Decimal {
    return changeOf({ credit: this.credits, debit: this.debits });
  }

  #count(change: Decimal): void {
    const side = change.sign < 0 ? this.entries.debits : this.entries.credits;
    side.count += 1;
    side.sum = side.sum.add(change.abs());
  }

  #lookAtDay(day: string): void {
    const last = this.#lastDay ?? day;
    this.#climbs &&= last <= day;
    this.#falls &&= last >= day;
    this.#lastDay = day;
    if (this.earliestDay === undefined || day < this.earliestDay) this.earliestDay = day;
  }

  #lookAtCurrency(currency: string): void {
    if (this.currency === "") this.currency = currency;
    else if (currency !== "" && currency !== this.currency)
      this.unfit ??= `row ${this.rows} is in ${quote(currency)}, the rows above it in ${quote(this.currency)}`;
  }

  #words({ reference }: Entry, what: string): string {
    return `row ${this.rows}${reference === "" ? "" : ` (${quote(reference)})`}: ${what}`;
  }
}
