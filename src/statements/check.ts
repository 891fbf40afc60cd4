import type { Rows } from "../contract/endpoint.ts";
import { counted } from "../values/text/counted.ts";
import { Decimal } from "../values/money/decimal.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject } from "../values/json.ts";
import type { Period } from "../values/time/period.ts";
import { quote, visible } from "../values/text/text.ts";
import { dayOfTimestamp, dayPart } from "../values/time/wall-time.ts";
import type { BalanceStep, Direction } from "./balance-order.ts";
import { BalanceOrder } from "./balance-order.ts";
import { DateOrder } from "./date-order.ts";
import type { OuterBalances } from "./booked-ends.ts";
import type { Entry, EntryShape } from "./entry.ts";
import { entryOf, textIn } from "./entry.ts";
import type { Discrepancy } from "./discrepancy.ts";
import { describeDiscrepancy, firstOf } from "./discrepancy.ts";
import { RowSet } from "./row-set.ts";

/** The fewest digits after the point in a summary. */
const summaryScale = 2;

const againstDates = ", but only against the order of its dates: a row may be missing";

/** Breaks between balances: unknown, reported before, or none in the order in which the rows were booked. */
export type Breaks = "unknown" | "known" | "none";

/** Measures a statement by the rows that a check reads. */
export interface Measure {
  /** @param day the day of its value date, `YYYY-MM-DD`; undefined where that isn't a valid one */
  look(entry: Entry, day: string | undefined, row: JsonObject): void;
}

/**
 * Checks a statement while its rows pass by: opening + credits − debits = closing, each balance follows from the one
 * before, no row is repeated, every row is inside the period. It keeps a hash of each row instead of the row.
 */
export class StatementCheck {
  readonly #shape: EntryShape;
  readonly #period: { readonly start: string; readonly end: string };
  readonly #order = new BalanceOrder();
  readonly #dates = new DateOrder();
  readonly #seen = new RowSet();
  /** The first one that a row names. */
  #currency: string | undefined;
  #rows = 0;
  #credits = Decimal.zero;
  #debits = Decimal.zero;
  #first: Entry | undefined;
  #last: Entry | undefined;
  #discrepancy: Discrepancy | undefined;
  /** The first repeated row, if rows come in that order. */
  readonly #repeated: Partial<Record<Direction, Discrepancy>> = {};
  #lastDay: { readonly part: string; readonly day: string | undefined } = { part: "", day: undefined };

  constructor(shape: EntryShape, period: Period) {
    this.#shape = shape;
    this.#period = { start: period.startDate.toString(), end: period.endDate.toString() };
  }

  /** Passes the rows on, each seen once by the check and by the measures. */
  async *watch(rows: Rows, measures: readonly Measure[] = []): AsyncGenerator<readonly JsonObject[]> {
    for await (const batch of rows) {
      for (const row of batch) {
        const entry = entryOf(row, this.#shape);
        const day = this.#dayOf(entry.valueDate);
        this.#look(entry, day, row);
        for (const measure of measures) measure.look(entry, day, row);
      }
      yield batch;
    }
  }

  /** Reads the rows to the end without passing them on. */
  async readThrough(rows: Rows, measures: readonly Measure[] = []): Promise<void> {
    for await (const _ of this.watch(rows, measures)) continue;
  }

  /** One line: `412 rows, +9,000,000.00 −8,400,000.00, closing 612,345.50, adds up`. */
  summary(breaks: Breaks = "unknown"): string {
    const rows = counted(this.#rows, "row");
    const closing = this.#closing();
    const sums = `${summed(this.#credits, "+", "−")} ${summed(this.#debits, "−", "+")}`;
    const parts = [rows, sums, ...(closing === undefined ? [] : [`closing ${closing.grouped(summaryScale)}`])];
    return [...parts, this.verdict(breaks)].join(", ");
  }

  /** `adds up`, or `does not add up` and the first row with a discrepancy. */
  verdict(breaks: Breaks = "unknown"): string {
    const discrepancy = this.#firstDiscrepancy(breaks);
    if (discrepancy !== undefined) return `does not add up: ${describeDiscrepancy(discrepancy)}`;
    if (breaks === "known" && !this.addsUp) return "adds up except for known breaks";
    return `adds up${this.#isAgainstDates ? againstDates : ""}`;
  }

  get addsUp(): boolean {
    return this.#firstDiscrepancy() === undefined;
  }

  /** The mismatch that `--strict` ends with; undefined when the statement adds up. */
  mismatch(breaks: Breaks = "unknown"): Failure | undefined {
    const discrepancy = this.#firstDiscrepancy(breaks);
    if (discrepancy === undefined) return undefined;
    return new Failure("mismatch", `The statement does not add up: ${describeDiscrepancy(discrepancy)}.`, {
      hint: "Leave --strict out to see it all the same; ask the service about that row.",
      details: { summary: this.summary(breaks) },
    });
  }

  #look(entry: Entry, day: string | undefined, row: JsonObject): void {
    this.#rows += 1;
    this.#first ??= entry;
    this.#last = entry;
    const { credit, debit, balance } = entry;
    if (credit) this.#credits = this.#credits.add(credit);
    if (debit) this.#debits = this.#debits.add(debit);
    this.#dates.follow(entry.valueDate);
    this.#lookAtCurrency(entry, textIn(row, "currency").trim());
    if (credit === undefined || debit === undefined) this.#found(entry, "an amount isn't a number");
    if (day === undefined) this.#found(entry, `value date ${quote(entry.valueDate)} isn't a day`);
    else if (day < this.#period.start || day > this.#period.end)
      this.#found(entry, `value date ${day} is outside the period`);
    const step = balance && { row: this.#rows, reference: entry.reference, change: changeOf(entry), balance };
    if (this.#isAlike(entry, row)) this.#lookAgain(entry, step);
    if (step) this.#order.follow(step);
    else this.#found(entry, "it has no balance");
  }

  /** Amounts in two currencies have no sum. Spec 2.3: rows of merchant accounts name theirs. */
  #lookAtCurrency(entry: Entry, currency: string): void {
    if (currency === "") return;
    this.#currency ??= currency;
    if (currency !== this.#currency && currency.toUpperCase() !== this.#currency.toUpperCase())
      this.#found(entry, `it is in ${visible(currency)}, and rows before it are in ${visible(this.#currency)}`);
  }

  /** Rows of a day are adjacent, so the last day read is cached. */
  #dayOf(timestamp: string): string | undefined {
    const part = dayPart(timestamp);
    if (part !== this.#lastDay.part) this.#lastDay = { part, day: dayOfTimestamp(timestamp) };
    return this.#lastDay.day;
  }

  /** True where an earlier row has the same reference, day, amounts and balance. `tranRefNo` alone is not unique. */
  #isAlike({ reference, valueDate }: Entry, row: JsonObject): boolean {
    const { credit, debit, balance } = this.#shape;
    return this.#seen.add(reference, valueDate, textIn(row, credit), textIn(row, debit), textIn(row, balance));
  }

  /**
   * A row like an earlier one moved money again where its balance follows from the row before. Otherwise, or where it
   * moved nothing, it is a repeat.
   */
  #lookAgain({ reference }: Entry, step: BalanceStep | null | undefined): void {
    const joins = step && !step.change.isZero ? this.#order.joins(step) : undefined;
    for (const direction of ["oldestFirst", "newestFirst"] as const)
      if (joins?.[direction] !== true)
        this.#repeated[direction] ??= { row: this.#rows, reference, what: "the same row is there twice" };
  }

  #found(entry: Entry, what: string): void {
    this.#discrepancy ??= { row: this.#rows, reference: entry.reference, what };
  }

  get isNewestFirst(): boolean {
    return this.#order.isNewestFirst(this.#first?.valueDate ?? "", this.#last?.valueDate ?? "");
  }

  /** The balances before and after all rows, where they are not in the order in which they were booked. */
  get bookedEnds(): OuterBalances | undefined {
    const ends = this.#order.bookedEnds;
    const isWhole = ends?.opening.add(this.#credits).subtract(this.#debits).equals(ends.closing) === true;
    return isWhole ? ends : undefined;
  }

  /** Rows that were booked against their dates add up so, and a few rows between which others are missing may, too. */
  get #isAgainstDates(): boolean {
    const [balances, dates] = [this.#order.direction, this.#dates.direction];
    return balances !== undefined && dates !== undefined && balances !== dates;
  }

  /** The balance after the last row booked; undefined where that row has none. */
  #closing(): Decimal | undefined {
    return this.bookedEnds?.closing ?? (this.isNewestFirst ? this.#first : this.#last)?.balance ?? undefined;
  }

  #firstDiscrepancy(breaks: Breaks = "unknown"): Discrepancy | undefined {
    const { isNewestFirst } = this;
    const repeated = this.#repeated[isNewestFirst ? "newestFirst" : "oldestFirst"];
    // Rows that lead from one balance to another, in whatever order, are complete, and none is repeated.
    const own = firstOf(this.bookedEnds === undefined ? repeated : undefined, this.#discrepancy);
    return breaks === "unknown" ? firstOf(own, this.#order.discrepancy(isNewestFirst)) : own;
  }
}

/** A sum behind its sign. A reversal can be a negative row, and a sum of them turns the sign round. */
function summed(sum: Decimal, sign: string, turned: string): string {
  return `${sum.sign < 0 ? turned : sign}${sum.abs().grouped(summaryScale)}`;
}

function changeOf({ credit, debit }: Entry): Decimal {
  return (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero);
}
