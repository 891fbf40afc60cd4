import { Failure } from "../../../values/failure.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { Day } from "../../../values/time/day.ts";
import type { Period } from "../../../values/time/period.ts";
import type { Book } from "../book/book.ts";
import type { Remarks } from "../remarks.ts";
import type { AmountCodes } from "../../packing/amount-codes.ts";
import { ExactSum } from "../../packing/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";
import type { StatementIntake } from "../rows/statement-intake.ts";
import type { StringTable } from "../rows/string-table.ts";
import type { CarriedMonth, LastDays, CarriedItem, OpenMonths } from "./carry-file.ts";
import { digestOf } from "./carry-file.ts";
import { paidOn } from "./paid-on.ts";

/** Brings the open items of earlier months into the comparison of this one. */
export class Carry {
  readonly month: string;
  readonly months: OpenMonths;
  /** The month in which a row or an entry was first open. */
  readonly since = { statement: new Map<number, string>(), book: new Map<number, string>() };
  /** Rows that make up the difference of an earlier pair. */
  readonly differences = new Set<number>();
  /** What the month before left; undefined for the first month. */
  readonly before: CarriedMonth | undefined;
  /** By the row: how many entries with its reference and amount belonged to other rows. */
  readonly #settled = new Map<number, number>();
  readonly #remarks: Remarks;

  /**
   * @param period a whole month
   * @throws {Failure} usage: a period that isn't a month; a month that does not follow the last one; one that an earlier
   *   month was changed after
   */
  constructor(months: OpenMonths, period: Period, remarks: Remarks) {
    this.month = monthOf(period);
    this.months = months;
    this.before = carriedInto(months, this.month);
    this.#remarks = remarks;
  }

  /** False for the first month. */
  get isContinued(): boolean {
    return this.before !== undefined;
  }

  get #lastDays(): LastDays | undefined {
    return this.before?.lastDays;
  }

  /** The months with this one, and the first of them that has to be reconciled again after it. */
  with(carried: CarriedMonth): { readonly months: OpenMonths; readonly overtaken: string | undefined } {
    const after = this.before === undefined ? "" : digestOf(this.before);
    const months = new Map(this.months).set(this.month, { ...carried, after });
    return { months, overtaken: firstOvertaken(months, [...months.keys()].toSorted()) };
  }

  /** Adds the open items of the book, except those that the book still has. */
  addToBook(book: Book, tables: Tables): void {
    const rest = this.#bind(book.side, "book", tables);
    this.#markLastDays(book.side, "book", tables);
    for (const item of rest) this.#addEntry(book, item);
  }

  #addEntry(book: Book, item: CarriedItem): void {
    const { reference, amount, day, narration, counterparty } = item;
    const texts = { narration, counterparty };
    const entry = book.add({ reference, amount, day: day.serial, texts, isCarried: true });
    this.#note("book", entry, item);
  }

  /**
   * Adds the open items of the statement, except those that were read again, and what came into the months before after
   * they were reconciled.
   * @param opening what the statement begins with; null where that isn't known
   */
  addToStatement(intake: StatementIntake, book: Book, tables: Tables, opening: Decimal | null): void {
    const rest = this.#bind(intake.side, "statement", tables);
    const late = this.#markLastDays(intake.side, "statement", tables);
    const waiting = paidOn(rest, { statement: intake.side, book: book.side }, tables);
    for (const item of waiting) this.#addEntry(book, { ...item, amount: item.amount.negate() });
    for (const item of rest.filter((item) => !waiting.has(item))) {
      const { reference, amount, day, narration, counterparty, feeOf } = item;
      const texts = { narration, counterparty };
      const row = intake.addCarried({ reference, amount, day: day.serial, texts, feeOf });
      this.#note("statement", row, item);
    }
    for (const row of late) {
      intake.side.flags.set(row, "carried");
      this.#noteLate(row);
    }
    const amount = this.#cameLater(intake.side, late, tables.codes, opening);
    if (amount.isZero) return;
    const day = tables.period.startDate.addDays(-1).serial;
    const texts = { narration: `what the statement of ${this.#monthBefore} did not have`, counterparty: "" };
    this.#noteLate(intake.addCarried({ reference: "", amount, day, texts, feeOf: undefined }));
  }

  /** What came into the months before after they were reconciled, without the rows that were read again. */
  #cameLater(side: RowStore, late: readonly number[], codes: AmountCodes, opening: Decimal | null): Decimal {
    const closing = this.before?.closing;
    if (closing === undefined || opening === null) return Decimal.zero;
    const read = new ExactSum(codes);
    for (const row of late) read.add(side.amountOf(row), side.scaleOf(row));
    return opening.subtract(closing).subtract(read.value);
  }

  #noteLate(row: number): void {
    this.since.statement.set(row, this.#monthBefore);
    this.#remarks.onRow(row, `came after ${this.#monthBefore} was reconciled: reconcile it again`);
  }

  get #monthBefore(): string {
    return nameBefore(this.month);
  }

  /**
   * Marks entries of the book that earlier months were reconciled with. An entry may have been booked since then with
   * an earlier day: of the entries like an open row, only as many are marked as belonged to other rows.
   */
  markSettled(statement: RowStore, book: RowStore, { period }: Tables): void {
    if (!this.isContinued) return;
    const left = new Map<string, number>();
    for (const [row, count] of this.#settled) left.set(likeKey(statement, row), count);
    const isEarlier = (entry: number) => book.isFar(entry) || book.dayOf(entry) < (this.#lastDays?.from.serial ?? 0);
    const isOver = (entry: number) => isEarlier(entry) && !book.counts(entry);
    const entries = Array.from({ length: book.count }, (_, entry) => entry)
      .filter((entry) => isOver(entry) && book.dayOf(entry) < period.startDate.serial)
      .toSorted((one, other) => book.dayOf(one) - book.dayOf(other));
    for (const entry of entries) {
      const key = likeKey(book, entry);
      const count = left.get(key) ?? Number.POSITIVE_INFINITY;
      left.set(key, count - 1);
      if (count > 0) book.flags.set(entry, "settled");
    }
  }

  /**
   * Marks what the month before was reconciled with in its last days, row by row: others may have come since. Rows of the
   * statement from before these days were its own, too.
   * @returns rows of these days that were neither open nor settled then
   */
  #markLastDays(side: RowStore, name: "statement" | "book", { texts, codes, period }: Tables): readonly number[] {
    const late: number[] = [];
    if (this.#lastDays === undefined) return late;
    const { from, settled } = this.#lastDays;
    const left = new Map<string, number>();
    for (const item of settled.filter((item) => item.side === name)) {
      const key = keyOf(texts.idOf(item.reference), codes.codeOf(item.amount), item.day.serial);
      left.set(key, (left.get(key) ?? 0) + 1);
    }
    for (let row = 0; row < side.count; row += 1) {
      if (side.counts(row) || side.dayOf(row) >= period.startDate.serial) continue;
      const key = keyOf(side.referenceOf(row), side.amountOf(row), side.dayOf(row));
      const count = left.get(key) ?? 0;
      if (count > 0 || (name === "statement" && side.dayOf(row) < from.serial)) side.flags.set(row, "settled");
      else if (side.hasAmount(row) && side.dayOf(row) !== noDay) late.push(row);
      left.set(key, count - 1);
    }
    return late;
  }

  /** Marks rows that are open items. @returns the items without a row */
  #bind(side: RowStore, name: "statement" | "book", { texts, codes, period }: Tables): readonly CarriedItem[] {
    const items = (this.before?.open ?? []).filter((item) => item.side === name);
    const open = Map.groupBy(items, ({ reference, amount, day }) =>
      keyOf(texts.idOf(reference), codes.codeOf(amount), day.serial),
    );
    for (let row = 0; row < side.count; row += 1) {
      if (open.size === 0 || side.dayOf(row) >= period.startDate.serial) continue;
      const key = keyOf(side.referenceOf(row), side.amountOf(row), side.dayOf(row));
      const item = open.get(key)?.shift();
      if (item === undefined) continue;
      side.flags.set(row, "carried");
      this.#note(name, row, item);
    }
    return [...open.values()].flat();
  }

  #note(side: "statement" | "book", row: number, { since, settled, isDifference }: CarriedItem): void {
    this.since[side].set(row, since);
    if (side === "statement") this.#settled.set(row, settled);
    if (side === "statement" && isDifference) this.differences.add(row);
    const remark = `carried from ${since}`;
    if (side === "statement") this.#remarks.onRow(row, remark);
    else this.#remarks.onEntry(row, remark);
  }
}

/** The tables that rows are packed with, and the period. */
export interface Tables {
  readonly texts: StringTable;
  readonly codes: AmountCodes;
  readonly period: Period;
}

function keyOf(reference: number, amount: number, day: number): string {
  return `${reference} ${amount} ${day}`;
}

/** The key that an item shares with an entry that may clear it. */
export function likeKey(side: RowStore, row: number, amount = side.amountOf(row)): string {
  return `${side.keyOf(row)} ${amount}`;
}

/** What the month before left; undefined for the first month. */
function carriedInto(months: OpenMonths, month: string): CarriedMonth | undefined {
  const before = nameBefore(month);
  const carried = months.get(before);
  const earlier = [...months.keys()].filter((name) => name < month).toSorted();
  const overtaken = carried && firstOvertaken(months, earlier);
  if (overtaken !== undefined)
    throw new Failure("usage", `${overtakenInWords(overtaken)}.`, {
      hint: `Reconcile ${overtaken} and the months after it again, with the same --carry: --month ${overtaken}`,
    });
  const last = earlier.at(-1);
  if (carried !== undefined || last === undefined) return carried;
  throw new Failure(
    "usage",
    `The open items of ${before} are not known: ${last} was carried last, and this is ${month}.`,
    {
      hint: `Reconcile the months between with the same --carry first: --month ${nextMonth(last)}`,
    },
  );
}

/** What is wrong with a month that was overtaken by the one before it. */
export function overtakenInWords(name: string): string {
  return `${name} continues another result of ${nameBefore(name)} than the one in the file`;
}

/** The first month that continues another result of the month before it. */
function firstOvertaken(months: OpenMonths, names: readonly string[]): string | undefined {
  return names.find((name, index) => {
    const [after, before] = [months.get(name)?.after, months.get(names[index - 1] ?? "")];
    return after !== undefined && before !== undefined && after !== digestOf(before);
  });
}

function nameBefore(name: string): string {
  return Day.parse(`${name}-01`)?.addDays(-1).toString().slice(0, name.length) ?? name;
}

function nextMonth(name: string): string {
  const first = Day.parse(`${name}-01`);
  return first === undefined ? name : first.lastOfMonth().addDays(1).toString().slice(0, name.length);
}

function monthOf({ startDate, endDate }: Period): string {
  const isMonth = startDate.toString().endsWith("-01") && startDate.lastOfMonth().compare(endDate) === 0;
  if (isMonth) return startDate.toString().slice(0, "2026-09".length);
  throw new Failure("usage", "--carry keeps open items by month, and the period is not a whole month.", {
    hint: "Name one month, for example --month 2026-10 or --last-month.",
  });
}
