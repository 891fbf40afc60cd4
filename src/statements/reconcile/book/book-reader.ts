import type { SheetRow } from "../../../sheets/sheet-row.ts";
import type { Sheet } from "../../../sheets/sheet.ts";
import { cellCountViolation } from "../../../sheets/sheet-failures.ts";
import type { DateFormat } from "../../../values/book-writing.ts";
import type { Decimal } from "../../../values/money/decimal.ts";
import { quote, visible } from "../../../values/text/text.ts";
import type { BookForm, BookRole } from "./book-columns.ts";
import { BookCurrencies } from "./book-currencies.ts";
import type { WrittenDay } from "./book-day.ts";
import { readBookDay } from "./book-day.ts";
import type { BookSetting, ReadCell } from "./book-form.ts";
import { readBookAmount, readBookReference, readDirection } from "./book-form.ts";
import { Thousands } from "./book-thousands.ts";
import type { TotalLine } from "./book-total.ts";
import { BookSums, isTotal } from "./book-total.ts";
import type { BookEntry } from "./book.ts";
import type { TextColumns } from "./text-columns.ts";
import { textColumns, textsIn } from "./text-columns.ts";

/** How many violations are listed. */
const listedMaxCount = 50;

/** Where the rows of a book go. */
export interface BookSink {
  add(entry: BookEntry): unknown;
}

/** Reads the rows of a book, one after the other, and collects all that is wrong with them. */
export class BookReader {
  readonly faults: (readonly [place: string, what: string])[] = [];
  faultsCount = 0;
  /** The roles of the cells that cannot be used. */
  readonly faulty = new Set<BookRole>();
  /** By kind, the settings with which the first unusable cell could be read. */
  readonly settings = new Map<BookSetting["key"], readonly BookSetting[]>();
  readonly thousands: Thousands;
  readonly currencies: BookCurrencies;
  /** Well-formed rows, without the total line. */
  count = 0;
  /** The line below all others that is their sum. */
  totalLine: number | undefined;
  /** The detected form of days, where none is set. */
  recognisedDays: DateFormat | undefined;
  #dayText = "";
  #day: ReadCell<WrittenDay>;
  #held: SheetRow | undefined;
  readonly #sums = new BookSums();
  readonly #form: BookForm;
  readonly #book: BookSink;
  readonly #header: readonly string[];
  readonly #hasDates: boolean;
  readonly #texts: TextColumns;
  readonly #columns: Readonly<Record<BookRole, number>>;

  constructor({ header, sheet }: Sheet, form: BookForm, book: BookSink) {
    this.#texts = textColumns(header, form);
    this.#form = form;
    this.#book = book;
    this.#header = header;
    this.#hasDates = sheet !== undefined;
    this.thousands = new Thousands(form.thousands);
    this.currencies = new BookCurrencies(header);
    this.#day = this.#dayIn("");
    const placeOf = (role: BookRole) => (form[role] === undefined ? -1 : header.indexOf(form[role]));
    this.#columns = {
      reference: placeOf("reference"),
      amount: placeOf("amount"),
      debit: placeOf("debit"),
      credit: placeOf("credit"),
      date: placeOf("date"),
      direction: placeOf("direction"),
    };
  }

  take(row: SheetRow): void {
    // A line that may be the total is one only where nothing comes below it.
    if (this.#held !== undefined) this.#takeRow(this.#held);
    this.#held = this.#mayBeTotal(row) ? row : undefined;
    if (this.#held === undefined) this.#takeRow(row);
  }

  /** To be called when there are no more rows. */
  end(): void {
    if (this.#held !== undefined) this.#takeTotal(this.#held);
    const { count, listed } = this.thousands.faults();
    this.faultsCount += count;
    this.faults.push(...listed.slice(0, listedMaxCount - this.faults.length));
    this.faults.sort(([one], [other]) => lineOf(one) - lineOf(other));
  }

  #takeRow({ line, cells, faults = [] }: SheetRow): void {
    for (const { cell, problem } of faults) this.#fault(visible(cell), problem);
    const ragged = faults.length > 0 ? undefined : cellCountViolation(cells, this.#header);
    if (ragged !== undefined) this.#fault(`line ${line}`, ragged);
    if (faults.length > 0 || ragged !== undefined) return;
    this.count += 1;
    this.currencies.see(line, cells);
    const { reference, date } = this.#columns;
    const [nameText, dayText] = [cellIn(cells, reference), cellIn(cells, date)];
    const name = this.#read(line, "reference", nameText, readBookReference(nameText));
    const change = this.#columns.amount < 0 ? this.#sides(line, cells) : this.#single(line, cells);
    const day = this.#read(line, "date", dayText, this.#dayOf(dayText));
    if (change !== undefined) this.#sums.add(change);
    if (day?.recognised !== undefined) this.recognisedDays = day.recognised;
    if (name === undefined || change === undefined || day === undefined) return;
    this.#book.add({ reference: name, amount: change, day: day.serial, line, texts: textsIn(cells, this.#texts) });
  }

  /** The one amount, with the sign that a direction gives it where there is one. */
  #single(line: number, cells: readonly string[]): Decimal | undefined {
    const size = this.#amount(line, cells, "amount");
    if (this.#columns.direction < 0) return size;
    const way = cellIn(cells, this.#columns.direction);
    const sign = this.#read(line, "direction", way, readDirection(way));
    if (size !== undefined && size.sign < 0) {
      const problem = `has a sign, and the direction is ${quote(way)}: which of them counts is not known`;
      return this.#read(line, "amount", cellIn(cells, this.#columns.amount), { problem });
    }
    return sign === -1 ? size?.negate() : sign === 1 ? size : undefined;
  }

  /** The amount in one of two columns; a zero in the other one is ignored. */
  #sides(line: number, cells: readonly string[]): Decimal | undefined {
    const before = this.faultsCount;
    const [debit, credit] = (["debit", "credit"] as const).map((role) =>
      cellIn(cells, this.#columns[role]) === "" ? undefined : this.#amount(line, cells, role),
    );
    if (this.faultsCount > before) return undefined;
    this.#sums.addSides(debit, credit);
    const [out, into] = [debit, credit].map((amount) => (amount?.isZero === true ? undefined : amount));
    if (out === undefined) return into ?? debit ?? credit ?? this.#noSide(line, "neither holds an amount");
    return into === undefined ? out.negate() : this.#noSide(line, "both hold an amount");
  }

  #noSide(line: number, problem: string): undefined {
    this.#fault(`line ${line}, ${visible(this.#form.debit ?? "")} and ${visible(this.#form.credit ?? "")}`, problem);
    this.faulty.add("debit");
  }

  #amount(line: number, cells: readonly string[], role: "amount" | "debit" | "credit"): Decimal | undefined {
    const text = cellIn(cells, this.#columns[role]);
    const written = this.#read(line, role, text, readBookAmount(text, this.#form.decimal));
    if (written !== undefined) this.thousands.see(written, () => ({ where: this.#place(line, role), text }));
    return written?.amount;
  }

  #mayBeTotal({ cells, faults }: SheetRow): boolean {
    if (faults !== undefined || cells.length !== this.#header.length) return false;
    return isTotal({ reference: cellIn(cells, this.#columns.reference), day: cellIn(cells, this.#columns.date) });
  }

  #takeTotal(row: SheetRow): void {
    const { line, cells } = row;
    const amountIn = (role: "amount" | "debit" | "credit") => {
      const read = readBookAmount(cellIn(cells, this.#columns[role]), this.#form.decimal);
      return "value" in read ? read.value.amount : undefined;
    };
    const total: TotalLine = { line, amount: amountIn("amount"), debit: amountIn("debit"), credit: amountIn("credit") };
    if (total.amount === undefined && total.debit === undefined && total.credit === undefined)
      return this.#takeRow(row);
    const violation = this.#sums.violation(total, this.#columns.direction >= 0);
    if (violation === undefined) this.totalLine = line;
    else if (this.faultsCount === 0) this.#fault(`line ${line}`, violation);
  }

  /** Rows of a day are mostly adjacent, so the last day read is cached. */
  #dayOf(text: string): ReadCell<WrittenDay> {
    if (text !== this.#dayText) {
      this.#dayText = text;
      this.#day = this.#dayIn(text);
    }
    return this.#day;
  }

  #dayIn(text: string): ReadCell<WrittenDay> {
    return readBookDay(text, { format: this.#form.dateFormat, hasDates: this.#hasDates });
  }

  #read<T>(line: number, what: BookRole, text: string, read: ReadCell<T>): T | undefined {
    if ("value" in read) return read.value;
    this.faulty.add(what);
    const [setting] = read.settings ?? [];
    if (setting !== undefined && !this.settings.has(setting.key)) this.settings.set(setting.key, read.settings ?? []);
    this.#fault(this.#place(line, what), `${quote(text)} ${read.problem}`);
    return undefined;
  }

  #place(line: number, role: BookRole): string {
    return `line ${line}, ${visible(this.#form[role] ?? role)}`;
  }

  #fault(where: string, what: string): void {
    this.faultsCount += 1;
    if (this.faults.length < listedMaxCount) this.faults.push([where, what]);
  }
}

/** The cell, trimmed, which few of them need. */
function cellIn(cells: readonly string[], index: number): string {
  const cell = cells[index] ?? "";
  return isBare(cell) ? cell : cell.trim();
}

/** True where the first and the last character are visible ASCII, so that there is nothing to trim. */
function isBare(text: string): boolean {
  return isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1));
}

function isInk(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** Faults without a line (cells of a workbook) come last. */
function lineOf(place: string): number {
  const [, line] = /^line (\d+)/.exec(place) ?? [];
  return line === undefined ? Number.MAX_SAFE_INTEGER : Number(line);
}
