import { feeParent, isFeeRow, paidIdIn } from "../../../contract/fee-row.ts";
import { createHash } from "node:crypto";
import type { Rows } from "../../../contract/endpoint.ts";
import { csvRenderer } from "../../../report/csv.ts";
import type { Field } from "../../../values/field.ts";
import { describePeriod } from "../../../values/time/period.ts";
import type { ComparedSource } from "../source.ts";
import type { JsonObject } from "../../../values/json.ts";
import { Day } from "../../../values/time/day.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { quote } from "../../../values/text/text.ts";
import { dayOfTimestamp, dayPart } from "../../../values/time/wall-time.ts";
import type { Entry, EntryShape } from "../../entry.ts";
import { entryOf, textIn } from "../../entry.ts";
import type { BalanceStep } from "../../balance-order.ts";
import { BalanceOrder } from "../../balance-order.ts";
import type { Discrepancy } from "../../discrepancy.ts";
import { firstOf } from "../../discrepancy.ts";
import type { AmountCodes } from "../../packing/amount-codes.ts";
import { ExactSum } from "../../packing/amount-codes.ts";
import type { Book } from "../book/book.ts";
import type { RowTexts } from "./row-texts.ts";
import { noDay, RowStore } from "./row-store.ts";
import type { DateWindow } from "./date-window.ts";
import type { StringTable } from "./string-table.ts";
import type { Ruling } from "../ruling.ts";

export interface StatementReading {
  readonly accountNo: string;
  readonly span: DateWindow;
  readonly columns: readonly Field[];
  readonly intake: StatementIntake;
  /** False where the hash is not shown. */
  readonly hashes: boolean;
}

/**
 * Reads all rows.
 * @returns the rows of the period; their hash is that of the same statement as a CSV file, which a person can export
 * @throws {Failure} as the rows do
 */
export async function readStatement(
  rows: Rows,
  { accountNo, span, columns, intake, hashes }: StatementReading,
): Promise<ComparedSource> {
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

/** The sums of the period's rows: opening + credits − debits − fees = closing. */
export interface StatementSums {
  /** Null where neither a row nor the service gives it. */
  readonly opening: Decimal | null;
  readonly credits: Decimal;
  readonly debits: Decimal;
  readonly fees: Decimal;
  readonly closing: Decimal | null;
  /** True where the sums do, and each balance follows from the one before. */
  readonly addsUp: boolean;
  /** The first row of the period that breaks it; undefined where it adds up. */
  readonly discrepancy: Discrepancy | undefined;
  readonly feeRows: number;
}

/** Reads the rows of a statement, one after the other, and keeps what is needed to compare them. */
export class StatementIntake {
  readonly side = new RowStore();
  readonly #texts: StringTable;
  readonly #codes: AmountCodes;
  readonly #shape: EntryShape;
  readonly #span: DateWindow;
  readonly #book: Book;
  readonly #ruling: Ruling | undefined;
  readonly #order = new BalanceOrder();
  readonly #credits: ExactSum;
  readonly #debits: ExactSum;
  /** Below zero, as the rows have them. */
  readonly #fees: ExactSum;
  #feeRows = 0;
  #first: Balanced | undefined;
  #last: Balanced | undefined;
  #rows = 0;
  /** The first row with something missing or invalid. */
  #gap: Discrepancy | undefined;
  #dayText = "";
  #day = noDay;

  constructor(texts: StringTable, codes: AmountCodes, { shape, span, book, ruling }: StatementTerms) {
    this.#ruling = ruling;
    this.#texts = texts;
    this.#codes = codes;
    this.#shape = shape;
    this.#span = span;
    this.#book = book;
    this.#credits = new ExactSum(codes);
    this.#debits = new ExactSum(codes);
    this.#fees = new ExactSum(codes);
  }

  /** @returns whether the row is of the period */
  take(row: JsonObject): boolean {
    const entry = entryOf(row, this.#shape);
    const { reference, credit, debit } = entry;
    const narration = textIn(row, "narration");
    const day = this.#dayOf(entry.valueDate);
    const inPeriod = day === noDay || this.#span.counts(day);
    const named = isFeeRow({ reference, narration }) ? feeParent({ reference, narration }) : undefined;
    const change = credit === undefined || debit === undefined ? undefined : changeOf(credit, debit);
    const other = textIn(row, "paymentReference");
    const texts = { narration, counterparty: textIn(row, "senderAccountName") };
    const isFee = this.#ruling?.isFee("statement", this.side.count, { reference, amount: change, texts });
    // A fee by a rule alone belongs to no known payment.
    const parent = named ?? (isFee === true ? "" : undefined);
    const paidId = paidIdIn(reference, narration);
    const id = this.#texts.idOf(reference);
    if (inPeriod) this.#rows += 1;
    this.side.add({
      key: named === undefined ? this.#book.keyFor({ reference: id, other, narration }) : id,
      reference: id,
      amount: change === undefined ? undefined : this.#codes.codeOf(change),
      scale: change?.scale ?? 0,
      day,
      inPeriod,
      feeOf: parent === undefined ? undefined : this.#texts.idOf(parent),
      feeOfId: paidId === undefined ? undefined : this.#texts.idOf(paidId),
      line: inPeriod ? this.#rows : 0,
      texts,
    });
    if (!inPeriod) return false;
    if (change === undefined) this.#miss(reference, "an amount isn't a number");
    if (day === noDay) this.#miss(reference, `value date ${quote(entry.valueDate)} isn't a day`);
    this.#count(entry, change ?? Decimal.zero, parent !== undefined);
    return true;
  }

  /** Adds a row that is open since an earlier month: it is in no sum of this one. */
  addCarried({ reference, amount, day, texts, feeOf }: CarriedRow): number {
    const id = this.#texts.idOf(reference);
    const row = this.side.add({
      key: feeOf === undefined ? this.#book.keyFor({ reference: id, other: "", narration: texts.narration }) : id,
      reference: id,
      amount: this.#codes.codeOf(amount),
      scale: amount.scale,
      day,
      inPeriod: false,
      feeOf: feeOf === undefined ? undefined : this.#texts.idOf(feeOf),
      texts,
    });
    this.side.flags.set(row, "carried");
    return row;
  }

  /** True where the period has no row. */
  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  /** @param held the account's unchanged balance, where no row has one */
  sums(held: Decimal | null = null): StatementSums {
    const isNewestFirst = this.#order.isNewestFirst(this.#first?.valueDate ?? "", this.#last?.valueDate ?? "");
    const [first, last] = isNewestFirst ? [this.#last, this.#first] : [this.#first, this.#last];
    const [credits, debits, fees] = [this.#credits.value, this.#debits.value, this.#fees.value.negate()];
    const sum = credits.subtract(debits).subtract(fees);
    const { bookedEnds } = this.#order;
    const booked = bookedEnds?.opening.add(sum).equals(bookedEnds.closing) === true ? bookedEnds : undefined;
    const opening = booked?.opening ?? (first === undefined ? held : first.balance.subtract(first.change));
    const closing = booked?.closing ?? last?.balance ?? held;
    const discrepancy = firstOf(this.#gap, this.#order.discrepancy(isNewestFirst));
    const meets = opening === null || closing === null || opening.add(sum).equals(closing);
    return {
      opening,
      credits,
      debits,
      fees,
      closing,
      addsUp: discrepancy === undefined && meets,
      discrepancy,
      feeRows: this.#feeRows,
    };
  }

  #miss(reference: string, what: string): void {
    this.#gap ??= { row: this.#rows, reference, what };
  }

  #count({ reference, credit, debit, balance, valueDate }: Entry, change: Decimal, isFee: boolean): void {
    if (isFee) {
      this.#feeRows += 1;
      this.#addTo(this.#fees, change);
    } else {
      if (credit) this.#addTo(this.#credits, credit);
      if (debit) this.#addTo(this.#debits, debit);
    }
    if (!balance) return this.#miss(reference, "it has no balance");
    const step = { row: this.#rows, reference, change, balance, valueDate };
    this.#order.follow(step);
    this.#first ??= step;
    this.#last = step;
  }

  #addTo(sum: ExactSum, amount: Decimal): void {
    sum.add(this.#codes.codeOf(amount), amount.scale);
  }

  /** Rows of a day are adjacent, so the last day read is cached. */
  #dayOf(valueDate: string): number {
    const text = dayPart(valueDate);
    if (text !== this.#dayText) {
      this.#dayText = text;
      this.#day = Day.parse(dayOfTimestamp(valueDate) ?? "")?.serial ?? noDay;
    }
    return this.#day;
  }
}

/** A row of an earlier statement. */
export interface CarriedRow {
  readonly reference: string;
  readonly amount: Decimal;
  readonly day: number;
  readonly texts: RowTexts;
  /** The reference of the payment that it is the fee of; empty where unknown, undefined where it isn't a fee. */
  readonly feeOf: string | undefined;
}

export interface StatementTerms {
  readonly shape: EntryShape;
  readonly span: DateWindow;
  readonly book: Book;
  readonly ruling?: Ruling | undefined;
}

interface Balanced extends BalanceStep {
  readonly valueDate: string;
}

/** Credit less debit, with the digits of the given one. */
function changeOf(credit: Decimal | null, debit: Decimal | null): Decimal {
  if (debit === null || debit.isZero) return credit ?? debit ?? Decimal.zero;
  return credit === null || credit.isZero ? debit.negate() : credit.subtract(debit);
}
