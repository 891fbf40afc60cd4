import type { Row } from "../../../report/report.ts";
import { counted } from "../../../values/text/counted.ts";
import { Day } from "../../../values/time/day.ts";
import type { Field } from "../../../values/field.ts";
import { Numeral } from "../../../values/json.ts";
import type { Book } from "../book/book.ts";
import type { RowStores } from "../by-reference.ts";
import type { Finding, Result } from "./result.ts";
import { noDay } from "../rows/row-store.ts";
import type { DateWindow } from "../rows/date-window.ts";

/** What a row of the result has. */
export const resultFields = [
  { name: "class", kind: "id", role: "state" },
  { name: "reference", kind: "id", role: "what" },
  { name: "statementAmount", kind: "amount", title: "statement", role: "money" },
  { name: "bookAmount", kind: "amount", title: "book", role: "money" },
  { name: "difference", kind: "amount", role: "money" },
  { name: "date", kind: "time", role: "when" },
  { name: "note", kind: "text", role: "what", whole: true },
] as const satisfies readonly Field[];

/** Puts findings into rows: amounts with the digits that they came with, and a note of all that explains them. */
export class RowWriter {
  readonly #sides: RowStores;
  readonly #result: Result;
  readonly #book: Book;
  readonly #span: DateWindow;
  readonly #days = new Map<number, string>();

  constructor(sides: RowStores, result: Result, book: Book, span: DateWindow) {
    this.#sides = sides;
    this.#result = result;
    this.#book = book;
    this.#span = span;
  }

  row(finding: Finding): Row {
    const { codes, texts, statement, book } = this.#sides;
    const { row, entry } = finding;
    const stated = row !== undefined && statement.hasAmount(row) ? row : undefined;
    const amount = stated === undefined ? 0 : statement.amountOf(stated);
    const scale = stated === undefined ? 0 : statement.scaleOf(stated);
    const booked = entry === undefined ? 0 : book.amountOf(entry);
    const bookScale = entry === undefined ? 0 : book.scaleOf(entry);
    const difference = entry === undefined ? amount : codes.sumOf(amount, codes.negative(booked));
    const known = stated !== undefined || entry !== undefined;
    const statementAmount = stated === undefined ? null : this.#numeral(amount, scale);
    // Most rows agree, and what they agree in is written once.
    const agrees = stated !== undefined && amount === booked && scale === bookScale;
    return {
      class: finding.class,
      reference: texts.textOf(this.#referenceOf(finding)),
      statementAmount,
      bookAmount: entry === undefined ? null : agrees ? statementAmount : this.#numeral(booked, bookScale),
      difference: known ? this.#numeral(difference, Math.max(scale, bookScale)) : null,
      date: this.#dateOf(finding),
      note: this.#notes(finding).join("; "),
    };
  }

  #numeral(amount: number, scale: number): Numeral {
    return new Numeral(this.#sides.codes.textOf(amount, scale));
  }

  #dateOf({ row, entry }: Finding): string | null {
    const { statement, book } = this.#sides;
    if (row !== undefined) return this.#dayText(statement.dayOf(row));
    return entry === undefined ? null : this.#dayText(book.dayOf(entry));
  }

  /** Ours where it is known; else the one that the statement has. */
  #referenceOf({ class: name, row, entry }: Finding): number {
    const { statement, book } = this.#sides;
    const stated = row === undefined ? 0 : statement.referenceOf(row);
    const booked = entry === undefined ? 0 : book.referenceOf(entry);
    return name === "probable" ? stated || booked : booked || stated;
  }

  #notes(finding: Finding): string[] {
    const { row, entry } = finding;
    const notes: string[] = [];
    if (row !== undefined && entry !== undefined) this.#notePair(notes, finding, row, entry);
    if (row !== undefined) this.#noteRow(notes, finding, row);
    if (entry !== undefined) this.#noteEntry(notes, finding, entry);
    return notes;
  }

  #notePair(notes: string[], { class: name }: Finding, row: number, entry: number): void {
    const { statement, book } = this.#sides;
    if (name === "duplicate") notes.push("again in both, with the same reference and amount");
    if (name === "probable") notes.push(`in the book ${this.#nameEntry(entry)}`);
    else if (statement.referenceOf(row) !== book.referenceOf(entry))
      notes.push(`in the statement ${this.#sides.texts.textOf(statement.referenceOf(row)) || "without a reference"}`);
    if (!statement.isInPeriod(row)) notes.push("in the statement outside of the period, so it counts in no sum");
    if (name !== "probable" && this.#areApart(row, entry))
      notes.push(`in the book on ${this.#dayText(book.dayOf(entry))}`);
  }

  #areApart(row: number, entry: number): boolean {
    const { statement, book } = this.#sides;
    const days = Math.abs(statement.dayOf(row) - book.dayOf(entry));
    return !book.isInPeriod(entry) || !statement.isInPeriod(row) || days > this.#span.windowDays;
  }

  #noteRow(notes: string[], finding: Finding, row: number): void {
    const { statement, codes, texts } = this.#sides;
    const alone = finding.entry === undefined;
    if (alone && finding.class === "duplicate")
      notes.push("again in the statement, with the same reference and amount");
    if (finding.class === "orphan fee")
      notes.push(`the statement has no ${texts.textOf(statement.parentOf(row)) || "row"} that it is the fee of`);
    if (finding.class === "ambiguous") notes.push(this.#candidates(finding, "book", (entry) => this.#nameEntry(entry)));
    if (!statement.hasAmount(row)) notes.push("its amount is no number");
    if (statement.dayOf(row) === noDay) notes.push("its date is no day");
    const fee = statement.feeOf(row);
    if (fee !== 0) notes.push(`fee ${codes.textOf(codes.negative(fee), 2)}`);
    const warning = alone ? this.#book.warningOf(statement.keyOf(row)) : undefined;
    if (warning !== undefined) notes.push(warning);
  }

  #noteEntry(notes: string[], finding: Finding, entry: number): void {
    const { book } = this.#sides;
    const alone = finding.row === undefined;
    if (alone && finding.class === "duplicate") notes.push("again in the book, with the same reference and amount");
    if (finding.class === "only in book") notes.push(this.#age(book.dayOf(entry)));
    if (alone && finding.class === "ambiguous")
      notes.push(this.#candidates(finding, "statement", (row) => this.#nameRow(row)));
    const note = this.#book.noteOf(entry);
    if (note !== undefined) notes.push(note);
  }

  /** Counted to the period's end: the same whenever it is run. */
  #age(day: number): string {
    const { endDate } = this.#span.period;
    return `${counted(endDate.serial - day, "day")} old on ${endDate.toString()}`;
  }

  #candidates(finding: Finding, where: "statement" | "book", name: (index: number) => string): string {
    const { count, named } = this.#result.candidatesOf(finding);
    const names = named.map((index) => name(index)).join(", ");
    if (count === 1) return `may be ${names} in the ${where}, as others may`;
    const more = count > named.length ? ` and ${count - named.length} more` : "";
    return `may be any of ${count} rows in the ${where}: ${names}${more}`;
  }

  #nameEntry(entry: number): string {
    const { book } = this.#sides;
    return this.#name(book.referenceOf(entry), book.dayOf(entry));
  }

  #nameRow(row: number): string {
    const { statement } = this.#sides;
    return this.#name(statement.referenceOf(row), statement.dayOf(row));
  }

  #name(reference: number, day: number): string {
    const text = this.#sides.texts.textOf(reference);
    return text === "" ? `on ${this.#dayText(day) ?? ""}` : `${text} on ${this.#dayText(day) ?? "no day"}`;
  }

  #dayText(day: number): string | null {
    if (day === noDay) return null;
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const text = new Day(day).toString();
    this.#days.set(day, text);
    return text;
  }
}
