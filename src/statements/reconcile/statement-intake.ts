import { createHash } from "node:crypto";
import type { Rows } from "../../contract/endpoint.ts";
import { csvRenderer } from "../../report/csv.ts";
import type { Field } from "../../values/field.ts";
import { describePeriod } from "../../values/period.ts";
import type { Source } from "./source.ts";
import type { JsonObject } from "../../values/json.ts";
import { Day } from "../../values/day.ts";
import { Decimal } from "../../values/decimal.ts";
import { dayOfTimestamp } from "../../values/wall-time.ts";
import { BalanceChain } from "../chain.ts";
import type { Entry, EntryShape } from "../entry.ts";
import { entryOf, textIn } from "../entry.ts";
import type { AmountCodes } from "./amount-codes.ts";
import type { Book } from "./book.ts";
import { feeParent } from "./fees.ts";
import { noDay, Side } from "./side.ts";
import type { Span } from "./span.ts";
import type { Texts } from "./texts.ts";

export interface StatementReading {
  readonly accountNo: string;
  readonly span: Span;
  readonly columns: readonly Field[];
  readonly intake: StatementIntake;
  /** False where nobody is shown the hash. */
  readonly hashes: boolean;
}

/**
 * Takes all rows in.
 * @returns what was read of the period; its hash is that of the same statement as a CSV file, which anybody can make
 * @throws {Failure} as the rows do
 */
export async function readStatement(
  rows: Rows,
  { accountNo, span, columns, intake, hashes }: StatementReading,
): Promise<Source> {
  const csv = csvRenderer(columns, { delimiter: ",", excel: false, header: true, raw: false, terminal: false });
  const digest = createHash("sha256").update(await csv.head());
  let count = 0;
  for await (const batch of rows) {
    const counted = batch.filter((row) => intake.take(row));
    if (hashes) digest.update(await csv.body(counted));
    count += counted.length;
  }
  const name = `${accountNo}, ${describePeriod(span.period)}`;
  return { source: "statement", name, rows: count, sha256: hashes ? digest.digest("hex") : "" };
}

/** What the rows of the period come to: opening + credits − debits − fees = closing. */
export interface Sums {
  /** Null where no row says it. */
  readonly opening: Decimal | null;
  readonly credits: Decimal;
  readonly debits: Decimal;
  readonly fees: Decimal;
  readonly closing: Decimal | null;
  /** The sums do, and each balance follows from the one before. */
  readonly addsUp: boolean;
  readonly feeRows: number;
}

/** Takes the rows of a statement in, one after the other, and keeps of each what it takes to compare it. */
export class StatementIntake {
  readonly side = new Side();
  readonly #texts: Texts;
  readonly #codes: AmountCodes;
  readonly #shape: EntryShape;
  readonly #span: Span;
  readonly #book: Book;
  readonly #oldestFirst = new BalanceChain("oldest first");
  readonly #newestFirst = new BalanceChain("newest first");
  #credits = Decimal.zero;
  #debits = Decimal.zero;
  #fees = Decimal.zero;
  #feeRows = 0;
  #rows = 0;
  #first: Balanced | undefined;
  #last: Balanced | undefined;
  #isWhole = true;
  #dayText = "";
  #day = noDay;

  constructor(texts: Texts, codes: AmountCodes, { shape, span, book }: StatementTerms) {
    this.#texts = texts;
    this.#codes = codes;
    this.#shape = shape;
    this.#span = span;
    this.#book = book;
  }

  /** @returns whether the row counts, being of the period */
  take(row: JsonObject): boolean {
    const entry = entryOf(row, this.#shape);
    const { reference, credit, debit, valueDate } = entry;
    const narration = textIn(row, "narration");
    const day = this.#dayOf(valueDate);
    const inPeriod = day === noDay || this.#span.counts(day);
    const parent = feeParent(reference, narration);
    const amount = credit === undefined || debit === undefined ? undefined : changeOf(credit, debit);
    const other = textIn(row, "paymentReference");
    const id = this.#texts.idOf(reference);
    this.side.add({
      key: parent === undefined ? this.#book.keyFor({ reference: id, other, narration }) : id,
      reference: id,
      amount: amount === undefined ? undefined : this.#codes.codeOf(amount),
      scale: amount?.scale ?? 0,
      day,
      inPeriod,
      feeOf: parent === undefined ? undefined : this.#texts.idOf(parent),
    });
    if (!inPeriod) return false;
    if (amount === undefined || day === noDay) this.#isWhole = false;
    this.#count(entry, amount ?? Decimal.zero, parent !== undefined);
    return true;
  }

  sums(): Sums {
    const isNewestFirst = this.#isNewestFirst();
    const [first, last] = isNewestFirst ? [this.#last, this.#first] : [this.#first, this.#last];
    const opening = first === undefined ? null : first.balance.subtract(first.change);
    const closing = last?.balance ?? null;
    const sum = this.#credits.subtract(this.#debits).subtract(this.#fees);
    const follows = (isNewestFirst ? this.#newestFirst : this.#oldestFirst).firstBreak === undefined;
    const meets = opening === null || closing === null || opening.add(sum).equals(closing);
    return {
      opening,
      credits: this.#credits,
      debits: this.#debits,
      fees: this.#fees,
      closing,
      addsUp: this.#isWhole && follows && meets,
      feeRows: this.#feeRows,
    };
  }

  /** Spec is silent on the order of rows. The balances tell it; where they hold both ways, or neither, the dates do. */
  #isNewestFirst(): boolean {
    const [oldest, newest] = [this.#oldestFirst, this.#newestFirst].map((chain) => chain.firstBreak === undefined);
    if (oldest !== newest) return newest === true;
    return (this.#first?.valueDate ?? "") > (this.#last?.valueDate ?? "");
  }

  #count({ credit, debit, balance, reference, valueDate }: Entry, change: Decimal, isFee: boolean): void {
    this.#rows += 1;
    if (isFee) {
      this.#feeRows += 1;
      this.#fees = this.#fees.subtract(change);
    } else {
      if (credit) this.#credits = this.#credits.add(credit);
      if (debit) this.#debits = this.#debits.add(debit);
    }
    if (!balance) {
      this.#isWhole = false;
      return;
    }
    const step = { row: this.#rows, reference, change, balance, valueDate };
    this.#oldestFirst.follow(step);
    this.#newestFirst.follow(step);
    this.#first ??= step;
    this.#last = step;
  }

  /** Rows of one day follow each other, so its text is read once. */
  #dayOf(valueDate: string): number {
    const text = dayText(valueDate);
    if (text !== this.#dayText) {
      this.#dayText = text;
      this.#day = Day.parse(dayOfTimestamp(valueDate) ?? "")?.serial ?? noDay;
    }
    return this.#day;
  }
}

export interface StatementTerms {
  readonly shape: EntryShape;
  readonly span: Span;
  readonly book: Book;
}

interface Balanced {
  readonly valueDate: string;
  readonly change: Decimal;
  readonly balance: Decimal;
}

/** Credit less debit, with the digits of the one that is there. */
function changeOf(credit: Decimal | null, debit: Decimal | null): Decimal {
  if (debit === null || debit.isZero) return credit ?? debit ?? Decimal.zero;
  return credit === null || credit.isZero ? debit.negate() : credit.subtract(debit);
}

/** The day that a timestamp starts with, and the character after it, which says whether it is one. */
function dayText(valueDate: string): string {
  return valueDate.slice(0, 11);
}
