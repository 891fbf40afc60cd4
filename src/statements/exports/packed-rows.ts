import type { Decimal } from "../../values/money/decimal.ts";
import { AmountCodes } from "../packing/amount-codes.ts";
import { roomFor, startRows } from "../packing/columns.ts";
import { PackedTexts } from "../packing/packed-texts.ts";

/** A row of a statement, as far as an export needs it. */
export interface ExportRow {
  /** `YYYY-MM-DD` of its value date; empty where it has none, or where 0.1.0 did not remember it. */
  readonly day: string;
  readonly reference: string;
  /** Its text in the file, with its line end. */
  readonly line: string;
  /** The balance after it; undefined where the service names none, or where 0.1.0 did not remember it. */
  readonly balance: Decimal | undefined;
  /** Credit less debit. */
  readonly change: Decimal | undefined;
}

/** A row as the service gives it now. */
export interface ReadRow extends ExportRow {
  /** Its value date as the service writes it. */
  readonly at: string;
}

/** The two amounts of a row. */
const amountsPerRow = 2;
const [balanceAt, changeAt] = [0, 1] as const;

/**
 * Rows of a statement in a third of the memory of objects: an export stores every row it has ever written. Returned
 * rows are views of this store.
 */
export class PackedRows {
  readonly #texts = new PackedTexts();
  readonly #codes = new AmountCodes();
  readonly #days: string[] = [];
  readonly #numbersOfDays = new Map<string, number>();
  #dayOfRows = new Int32Array(startRows);
  #amounts = new Float64Array(startRows * amountsPerRow);
  #scales = new Uint8Array(startRows * amountsPerRow);
  #count = 0;

  add(row: ExportRow): ExportRow {
    return new PackedRow(this, this.#place(row));
  }

  addRead(row: ReadRow): ReadRow {
    return new PackedReadRow(this, this.#place(row), row.at);
  }

  #place({ day, reference, line, balance, change }: ExportRow): number {
    const place = this.#count;
    if (place === this.#dayOfRows.length) this.#makeRoom(place * 2);
    this.#dayOfRows[place] = this.#numberOf(day);
    this.#texts.add(line, reference);
    this.#put(place * amountsPerRow + balanceAt, balance);
    this.#put(place * amountsPerRow + changeAt, change);
    this.#count = place + 1;
    return place;
  }

  dayOf(place: number): string {
    return this.#days[this.#dayOfRows[place] ?? 0] ?? "";
  }

  textsOf(place: number): readonly [line: string, reference: string] {
    return this.#texts.of(place);
  }

  balanceOf(place: number): Decimal | undefined {
    return this.#amountAt(place * amountsPerRow + balanceAt);
  }

  changeOf(place: number): Decimal | undefined {
    return this.#amountAt(place * amountsPerRow + changeAt);
  }

  #put(at: number, amount: Decimal | undefined): void {
    this.#amounts[at] = amount === undefined ? Number.NaN : this.#codes.codeOf(amount);
    this.#scales[at] = amount?.scale ?? 0;
  }

  #amountAt(at: number): Decimal | undefined {
    const code = this.#amounts[at] ?? Number.NaN;
    return Number.isNaN(code) ? undefined : this.#codes.amountOf(code, this.#scales[at] ?? 0);
  }

  #numberOf(day: string): number {
    const known = this.#numbersOfDays.get(day);
    if (known !== undefined) return known;
    // A part of a line would keep the whole line in memory.
    const own = Buffer.from(day).toString();
    const number = this.#days.push(own) - 1;
    this.#numbersOfDays.set(own, number);
    return number;
  }

  #makeRoom(rows: number): void {
    this.#dayOfRows = roomFor(rows, this.#dayOfRows, Int32Array);
    this.#amounts = roomFor(rows * amountsPerRow, this.#amounts, Float64Array);
    this.#scales = roomFor(rows * amountsPerRow, this.#scales, Uint8Array);
  }
}

/** A view of one row. */
class PackedRow implements ExportRow {
  readonly #rows: PackedRows;
  readonly #place: number;

  constructor(rows: PackedRows, place: number) {
    this.#rows = rows;
    this.#place = place;
  }

  get day(): string {
    return this.#rows.dayOf(this.#place);
  }

  get reference(): string {
    return this.#rows.textsOf(this.#place)[1];
  }

  get line(): string {
    return this.#rows.textsOf(this.#place)[0];
  }

  get balance(): Decimal | undefined {
    return this.#rows.balanceOf(this.#place);
  }

  get change(): Decimal | undefined {
    return this.#rows.changeOf(this.#place);
  }
}

class PackedReadRow extends PackedRow implements ReadRow {
  readonly at: string;

  constructor(rows: PackedRows, place: number, at: string) {
    super(rows, place);
    this.at = at;
  }
}
