import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { SheetHost } from "../../../sheets/blocks.ts";
import type { SheetRow } from "../../../sheets/sheet-row.ts";
import type { Sheet } from "../../../sheets/sheet.ts";
import { openSheet } from "../../../sheets/sheet.ts";
import type { DateFormat, DecimalMark } from "../../../values/book-writing.ts";
import { counted } from "../../../values/text/counted.ts";
import type { Decimal } from "../../../values/money/decimal.ts";
import { Failure } from "../../../values/failure.ts";
import { quote, visible } from "../../../values/text/text.ts";
import type { Book } from "./book.ts";
import type { Read } from "./book-form.ts";
import type { Source } from "../source.ts";
import { readBookAmount, readBookDay, readBookReference, readDirection } from "./book-form.ts";

/** How many faults are told one by one. */
const toldMaxCount = 50;

const columnsAdvice =
  "Say what its columns are called: --book-reference, --book-amount and --book-date, or once with partner profile set.";

/** What a column of a book can hold. */
const roles = ["reference", "amount", "date", "direction"] as const;
type Role = (typeof roles)[number];

/** Which columns of a book hold what, and how it writes days and decimals. */
export interface BookForm {
  readonly reference: string;
  readonly amount: string;
  readonly date: string;
  /** Where it stands, amounts have no sign. */
  readonly direction: string | undefined;
  readonly dateFormat: DateFormat;
  readonly decimal: DecimalMark;
}

/**
 * Takes in the rows of a CSV file.
 * @throws {Failure} usage: what cannot be read, a header without those columns, every cell that cannot be used
 */
export async function readBookFile(host: SheetHost, path: string, form: BookForm, book: Book): Promise<Source> {
  refuseSharedColumn(form);
  const required = roles.flatMap((role) => form[role] ?? []);
  const digest = createHash("sha256");
  const watched = { ...host, files: hashing(host.files, digest) };
  const sheet = await openSheet(watched, path, { required, ragged: "refuse", advice: columnsAdvice });
  const reader = new BookReader(sheet, form, book);
  let count = 0;
  for await (const rows of sheet.rows) {
    for (const row of rows) reader.take(row);
    count += rows.length;
  }
  if (reader.faultsCount > 0) throw wrongCells(path, reader, form);
  return { source: "book", name: path, rows: count, sha256: digest.digest("hex") };
}

/** One cell is no reference and no amount and no day at once. */
function refuseSharedColumn(form: BookForm): void {
  const one = roles.find((role) => roles.some((other) => other !== role && form[other] === form[role]));
  if (one === undefined || form[one] === undefined) return;
  const sharing = roles.filter((role) => form[role] === form[one]);
  const names = sharing.join(" and ");
  throw new Failure("usage", `Column ${quote(form[one])} is named for ${names}, and it can be only one of them.`, {
    hint: columnsAdvice,
  });
}

/** The same files, with each byte that is read of them in the hash. */
function hashing(files: SheetHost["files"], digest: Hash): SheetHost["files"] {
  return {
    facts: (path) => files.facts(path),
    async *chunks(path) {
      for await (const chunk of files.chunks(path)) {
        digest.update(chunk);
        yield chunk;
      }
    },
  };
}

class BookReader {
  readonly faults: (readonly [place: string, what: string])[] = [];
  faultsCount = 0;
  /** What the cells that cannot be used should hold. */
  readonly faulty = new Set<Role>();
  #dayText = "";
  #day: Read<number>;
  readonly #form: BookForm;
  readonly #book: Book;
  readonly #columns: Readonly<Record<Role, number>>;

  constructor({ header }: Sheet, form: BookForm, book: Book) {
    this.#form = form;
    this.#book = book;
    this.#day = readBookDay("", form.dateFormat);
    this.#columns = {
      reference: header.indexOf(form.reference),
      amount: header.indexOf(form.amount),
      date: header.indexOf(form.date),
      direction: form.direction === undefined ? -1 : header.indexOf(form.direction),
    };
  }

  take({ line, cells }: SheetRow): void {
    const { dateFormat, decimal } = this.#form;
    const { reference, amount, date } = this.#columns;
    const [nameText, sizeText, dayText] = [cellIn(cells, reference), cellIn(cells, amount), cellIn(cells, date)];
    const name = this.#read(line, "reference", nameText, readBookReference(nameText));
    const size = this.#read(line, "amount", sizeText, readBookAmount(sizeText, decimal));
    const day = this.#read(line, "date", dayText, this.#dayOf(dayText, dateFormat));
    const change = this.#columns.direction < 0 ? size : this.#directed(line, cells, size);
    if (name === undefined || change === undefined || day === undefined) return;
    this.#book.add({ reference: name, amount: change, day });
  }

  /** The amount with the sign that the direction gives it. */
  #directed(line: number, cells: readonly string[], size: Decimal | undefined): Decimal | undefined {
    const way = cellIn(cells, this.#columns.direction);
    const sign = this.#read(line, "direction", way, readDirection(way));
    if (size !== undefined && size.sign < 0) {
      const problem = `has a sign, and the direction is ${quote(way)}: which of them counts is not known`;
      return this.#read(line, "amount", cellIn(cells, this.#columns.amount), { problem });
    }
    return sign === -1 ? size?.negate() : sign === 1 ? size : undefined;
  }

  /** Days come in runs, so each of a run is read once. */
  #dayOf(text: string, format: DateFormat): Read<number> {
    if (text !== this.#dayText) {
      this.#dayText = text;
      this.#day = readBookDay(text, format);
    }
    return this.#day;
  }

  #read<T>(line: number, what: Role, text: string, read: Read<T>): T | undefined {
    if ("value" in read) return read.value;
    this.faultsCount += 1;
    this.faulty.add(what);
    const where = `line ${line}, ${visible(this.#form[what] ?? what)}`;
    if (this.faults.length < toldMaxCount) this.faults.push([where, `${quote(text)} ${read.problem}`]);
    return undefined;
  }
}

/** The cell without the blanks around it, which hardly any has. */
function cellIn(cells: readonly string[], index: number): string {
  const cell = cells[index] ?? "";
  return isBare(cell) ? cell : cell.trim();
}

/** True where the first character and the last are no blanks of any kind, being of plain ASCII. */
function isBare(text: string): boolean {
  return isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1));
}

function isInk(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function wrongCells(path: string, { faults, faultsCount, faulty }: BookReader, form: BookForm): Failure {
  const more = faultsCount > faults.length ? ` The first ${faults.length} are:` : "";
  const advice = roles.filter((role) => faulty.has(role)).map((role) => ` ${adviceOn(role, form)}`);
  return new Failure("usage", `${visible(path)} has ${counted(faultsCount, "cell")} that cannot be used.${more}`, {
    hint: `Correct them in the file.${advice.join("")}`,
    details: Object.fromEntries(faults),
  });
}

function adviceOn(role: Role, { dateFormat, decimal, direction }: BookForm): string {
  const noSign = direction === undefined ? "" : ", and no sign beside a direction";
  const advice: Readonly<Record<Role, string>> = {
    reference: "Let the spreadsheet keep references as text.",
    amount: `Amounts are digits with a ${decimal} before decimals, no separators${noSign}.`,
    date: `Days are ${dateFormat}; --book-date-format says another form.`,
    direction: "A direction is CR, DR, CREDIT or DEBIT.",
  };
  return advice[role];
}
