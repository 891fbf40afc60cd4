import { counted } from "../../../values/text/counted.ts";
import type { Book } from "../book/book.ts";
import type { RowStores } from "../matching/sides.ts";
import type { Remarks } from "../remarks.ts";
import { noDay } from "../rows/row-store.ts";
import { RowNames } from "./names.ts";
import { NearMisses } from "./near-misses.ts";
import type { ResultRow, Result } from "./result.ts";

/** Of more parts than this, a note gives only the number. */
const namedPartsMax = 20;

/** Everything that explains a finding, in a few words each. */
export class Notes {
  readonly #sides: RowStores;
  readonly #result: Result;
  readonly #book: Book;
  readonly #names: RowNames;
  readonly #remarks: Remarks;
  readonly #misses: NearMisses;

  constructor(sides: RowStores, result: Result, book: Book, remarks: Remarks) {
    this.#sides = sides;
    this.#result = result;
    this.#book = book;
    this.#remarks = remarks;
    this.#names = new RowNames(sides);
    this.#misses = new NearMisses(sides, this.#names);
  }

  textOf(finding: ResultRow): string {
    return this.#isPlain(finding) ? "" : this.#of(finding).join("; ");
  }

  /** True for most rows: a pair that agrees in everything, without remarks. */
  #isPlain({ class: name, row, entry, rows, entries }: ResultRow): boolean {
    if (name !== "matched" || row === undefined || entry === undefined) return false;
    if (rows !== undefined || entries !== undefined || !this.#remarks.isEmpty) return false;
    const { statement, book } = this.#sides;
    const isSame = statement.referenceOf(row) === book.referenceOf(entry) && statement.feeOf(row) === 0;
    return isSame && !this.#areApart(row, entry) && this.#book.noteOf(entry) === undefined;
  }

  #of(finding: ResultRow): readonly string[] {
    const { row, entry } = finding;
    const notes: string[] = [];
    this.#noteParts(notes, finding);
    if (row !== undefined && entry !== undefined) this.#notePair(notes, finding, row, entry);
    if (row !== undefined) this.#noteRow(notes, finding, row);
    if (entry !== undefined) this.#noteEntry(notes, finding, entry);
    const miss = this.#misses.of(finding);
    if (miss !== undefined) notes.push(miss);
    for (const remark of this.#remarks.of(finding)) if (!notes.includes(remark)) notes.push(remark);
    return notes;
  }

  #noteParts(notes: string[], { rows, entries }: ResultRow): void {
    if (rows !== undefined)
      notes.push(`${rows.length} rows in the statement${namedParts(rows, (row) => this.#names.ofRow(row))}`);
    if (entries !== undefined)
      notes.push(`${entries.length} rows in the book${namedParts(entries, (entry) => this.#names.ofEntry(entry))}`);
  }

  #notePair(notes: string[], finding: ResultRow, row: number, entry: number): void {
    const { class: name, rows, entries } = finding;
    const { statement, book } = this.#sides;
    if (name === "in transit") {
      this.#noteTransit(notes, row, entry);
      return;
    }
    if (name === "duplicate") notes.push("again in both, with the same reference and amount");
    if (rows !== undefined || entries !== undefined) return;
    if (name === "probable") notes.push(`in the book ${this.#names.ofEntry(entry)}`);
    else if (statement.referenceOf(row) !== book.referenceOf(entry))
      notes.push(`in the statement ${this.#sides.texts.textOf(statement.referenceOf(row)) || "without a reference"}`);
    if (name !== "probable" && this.#areApart(row, entry))
      notes.push(`in the book on ${this.#names.day(book.dayOf(entry))}`);
  }

  /** One half is after the period. */
  #noteTransit(notes: string[], row: number, entry: number): void {
    const { statement, book } = this.#sides;
    const isInStatement = statement.counts(row);
    const [other, its] = isInStatement
      ? ([this.#names.ofEntry(entry), this.#names.amountOf(book, entry)] as const)
      : ([this.#names.ofRow(row), this.#names.amountOf(statement, row)] as const);
    const amount = statement.amountOf(row) === book.amountOf(entry) ? "" : ` with ${its}`;
    notes.push(`in the ${isInStatement ? "book" : "statement"} ${other}${amount}, after the period`);
  }

  #areApart(row: number, entry: number): boolean {
    const { statement, book, span } = this.#sides;
    const days = Math.abs(statement.dayOf(row) - book.dayOf(entry));
    return !book.isInPeriod(entry) || !statement.isInPeriod(row) || days > span.windowDays;
  }

  #noteRow(notes: string[], finding: ResultRow, row: number): void {
    const { statement, codes, texts } = this.#sides;
    const alone = finding.entry === undefined;
    if (alone && finding.class === "duplicate")
      notes.push("again in the statement, with the same reference and amount");
    if (finding.class === "orphan fee")
      notes.push(`the statement has no ${texts.textOf(statement.parentOf(row)) || "row"} that it is the fee of`);
    if (finding.class === "fee not in book" && statement.parentOf(row) !== 0)
      notes.push(`fee of ${texts.textOf(statement.parentOf(row))}`);
    if (finding.class === "ambiguous")
      notes.push(this.#candidates(finding, "book", (entry) => this.#names.ofEntry(entry)));
    if (!statement.hasAmount(row)) notes.push("its amount isn't a number");
    if (statement.dayOf(row) === noDay) notes.push("its date isn't a day");
    const fee = (finding.rows ?? [row]).reduce((sum, one) => codes.sumOf(sum, statement.feeOf(one)), 0);
    if (fee !== 0) notes.push(`fee ${codes.textOf(codes.negative(fee), 2)}`);
    const warning = alone ? this.#book.warningOf(statement.keyOf(row)) : undefined;
    if (warning !== undefined) notes.push(warning);
  }

  #noteEntry(notes: string[], finding: ResultRow, entry: number): void {
    const { book } = this.#sides;
    const alone = finding.row === undefined;
    if (alone && finding.class === "duplicate") notes.push("again in the book, with the same reference and amount");
    if (finding.class === "only in book") notes.push(this.#age(book.dayOf(entry)));
    if (alone && finding.class === "in transit") notes.push("not in the statement yet");
    if (alone && finding.class === "ambiguous")
      notes.push(this.#candidates(finding, "statement", (row) => this.#names.ofRow(row)));
    const note = this.#book.noteOf(entry);
    if (note !== undefined) notes.push(note);
  }

  /** Counted to the period's end: the same whenever it is run. */
  #age(day: number): string {
    const { endDate } = this.#sides.span.period;
    return `${counted(endDate.serial - day, "day")} old on ${endDate.toString()}`;
  }

  #candidates(finding: ResultRow, where: "statement" | "book", name: (index: number) => string): string {
    const { count, named } = this.#result.candidatesOf(finding);
    const names = named.map((index) => name(index)).join(", ");
    if (count === 1) return `may be ${names} in the ${where}, as others may`;
    const more = count > named.length ? ` and ${count - named.length} more` : "";
    return `may be any of ${count} rows in the ${where}: ${names}${more}`;
  }
}

function namedParts(all: readonly number[], name: (index: number) => string): string {
  return all.length > namedPartsMax ? "" : `: ${all.map((one) => name(one)).join(", ")}`;
}
