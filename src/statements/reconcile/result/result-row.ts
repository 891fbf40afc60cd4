import type { Row } from "../../../report/report.ts";
import type { Field } from "../../../values/field.ts";
import type { JsonObject } from "../../../values/json.ts";
import { Numeral } from "../../../values/json.ts";
import type { Book } from "../book/book.ts";
import type { RowStores } from "../matching/sides.ts";
import { sumOf } from "../matching/sides.ts";
import type { Remarks } from "../remarks.ts";
import { noTexts } from "../rows/row-texts.ts";
import type { RowStore } from "../rows/row-store.ts";
import { RowNames } from "./names.ts";
import { Notes } from "./notes.ts";
import type { ResultRow, Result } from "./result.ts";

/** The fields of a row of the result. */
export const resultFields = [
  { name: "class", kind: "id", role: "state" },
  { name: "reference", kind: "id", role: "what" },
  { name: "statementAmount", kind: "amount", title: "statement", role: "money" },
  { name: "bookAmount", kind: "amount", title: "book", role: "money" },
  { name: "difference", kind: "amount", role: "money" },
  { name: "date", kind: "time", role: "when" },
  { name: "note", kind: "text", role: "what", whole: true },
  { name: "narration", kind: "text", role: "detail", machineOnly: true },
  { name: "counterparty", kind: "text", role: "detail", machineOnly: true },
  { name: "statementRow", kind: "count", role: "detail", machineOnly: true },
  { name: "bookLine", kind: "count", role: "detail", machineOnly: true },
] as const satisfies readonly Field[];

/** Turns findings into rows: amounts with their original digits, and a note with everything that explains them. */
export class RowWriter {
  readonly #sides: RowStores;
  readonly #result: Result;
  readonly #names: RowNames;
  readonly #notes: Notes;

  constructor(sides: RowStores, result: Result, book: Book, remarks: Remarks) {
    this.#sides = sides;
    this.#result = result;
    this.#names = new RowNames(sides);
    this.#notes = new Notes(sides, result, book, remarks);
  }

  row(finding: ResultRow): Row {
    const { codes, texts, statement, book } = this.#sides;
    const [showsRow, showsEntry] = [this.#result.shows(finding, "statement"), this.#result.shows(finding, "book")];
    const { row, entry } = finding;
    const shown = row !== undefined && showsRow && statement.hasAmount(row) ? row : undefined;
    const bookedIn = entry !== undefined && showsEntry ? entry : undefined;
    const [stated, scale] = this.#total(statement, shown, finding.rows);
    const [booked, bookScale] = this.#total(book, bookedIn, finding.entries);
    const statementAmount = shown === undefined ? null : this.#numeral(stated, scale);
    // Most amounts agree, and are then formatted once.
    const agrees = shown !== undefined && stated === booked && scale === bookScale;
    const difference = booked === 0 ? stated : codes.sumOf(stated, codes.negative(booked));
    const isKnown = shown !== undefined || bookedIn !== undefined;
    const { narration, counterparty } = this.#textsOf(finding);
    return {
      class: finding.class,
      reference: texts.textOf(this.#referenceOf(finding)),
      statementAmount,
      bookAmount: bookedIn === undefined ? null : agrees ? statementAmount : this.#numeral(booked, bookScale),
      difference: isKnown ? this.#numeral(difference, Math.max(scale, bookScale)) : null,
      date: this.#dateOf(showsRow ? row : undefined, bookedIn),
      note: this.#notes.textOf(finding),
      narration,
      counterparty,
      statementRow: lineIn(statement, finding.row),
      bookLine: lineIn(book, finding.entry),
      parts: this.#partsOf(finding),
    };
  }

  #numeral(amount: number, scale: number): Numeral {
    return new Numeral(this.#sides.codes.textOf(amount, scale));
  }

  /** The sum of a row, or of several matched as one, and its digits. */
  #total(
    side: RowStore,
    row: number | undefined,
    rows: readonly number[] | undefined,
  ): readonly [amount: number, scale: number] {
    if (row === undefined) return [0, 0];
    if (rows === undefined) return [side.amountOf(row), side.scaleOf(row)];
    const known = rows.filter((one) => side.hasAmount(one));
    const scale = known.reduce((most, one) => Math.max(most, side.scaleOf(one)), 0);
    return [sumOf(this.#sides, side, known), scale];
  }

  /** The day of the side that is shown; of both, the statement's. */
  #dateOf(row: number | undefined, entry: number | undefined): string | null {
    const { statement, book } = this.#sides;
    if (row !== undefined) return this.#names.day(statement.dayOf(row));
    return entry === undefined ? null : this.#names.day(book.dayOf(entry));
  }

  /** Our reference where it is known; else the statement's. */
  #referenceOf({ class: name, row, entry, entries }: ResultRow): number {
    const { statement, book } = this.#sides;
    const stated = row === undefined ? 0 : statement.referenceOf(row);
    const booked = entry === undefined ? 0 : book.referenceOf(entry);
    return name === "probable" || entries !== undefined ? stated || booked : booked || stated;
  }

  /** The statement's texts, and the book's where the statement has none. */
  #textsOf({ row, entry }: ResultRow): { readonly narration: string; readonly counterparty: string } {
    const stated = row === undefined ? noTexts : this.#sides.statement.textsOf(row);
    if (entry === undefined || (stated.narration !== "" && stated.counterparty !== "")) return stated;
    const booked = this.#sides.book.textsOf(entry);
    return {
      narration: stated.narration || booked.narration,
      counterparty: stated.counterparty || booked.counterparty,
    };
  }

  #partsOf({ rows, entries }: ResultRow): JsonObject[] | null {
    const { statement, book } = this.#sides;
    const [side, parts] = rows === undefined ? ([book, entries] as const) : ([statement, rows] as const);
    if (parts === undefined) return null;
    return parts.map((part) => ({
      reference: this.#sides.texts.textOf(side.referenceOf(part)),
      amount: this.#numeral(side.amountOf(part), side.scaleOf(part)),
      date: this.#names.day(side.dayOf(part)),
      bookLine: side === book ? lineIn(book, part) : null,
      narration: side.textsOf(part).narration,
    }));
  }
}

function lineIn(side: RowStore, row: number | undefined): Numeral | null {
  const line = row === undefined ? 0 : side.lineOf(row);
  return line === 0 ? null : Numeral.of(line);
}
