import { roomFor, startRows } from "../columns.ts";

/** What a row turned out to be, in the words of the result. */
export const classes = [
  "matched",
  "differing",
  "net of fee",
  "probable",
  "ambiguous",
  "only in statement",
  "only in book",
  "duplicate",
  "orphan fee",
] as const;
export type Class = (typeof classes)[number];

/** A fee's row that joined its parent's: fine, and no row of its own. */
export const joined = "joined";
const verdicts = [undefined, ...classes, joined] as const;
export type RowVerdict = (typeof verdicts)[number];
const verdictCodes = new Map(verdicts.map((verdict, code) => [verdict, code]));

/** The day of a row that has none. */
export const noDay = -(2 ** 31);
const noRow = -1;

/** One row of a statement or of a book. */
export interface StoredRow {
  /** What it is matched by, as a number of the texts; 0 for nothing. */
  readonly key: number;
  /** What it is shown by. */
  readonly reference: number;
  /** Credits above zero, as a code; undefined where no amount stands. */
  readonly amount: number | undefined;
  readonly scale: number;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** It counts; others can only match. */
  readonly inPeriod: boolean;
  /** What the fee is of, as a number of the texts. */
  readonly feeOf?: number | undefined;
  /** Shown only where it matches: nobody knows whether it belongs to this account. */
  readonly perhaps?: boolean | undefined;
  /** Far from the period, where only the same reference with the same amount says anything. */
  readonly isFar?: boolean | undefined;
}

const inPeriodFlag = 1;
const feeFlag = 2;
const amountlessFlag = 4;
const perhapsFlag = 8;
const farFlag = 16;

/** All rows of the statement, or of the book, packed. Rows are known by their index. */
export class RowStore {
  #count = 0;
  #keys = new Int32Array(startRows);
  #references = new Int32Array(startRows);
  #amounts = new Float64Array(startRows);
  #scales = new Uint8Array(startRows);
  #days = new Int32Array(startRows);
  #flags = new Uint8Array(startRows);
  #parents = new Int32Array(startRows);
  #fees = new Float64Array(startRows);
  #verdicts = new Uint8Array(startRows);
  #partners = new Int32Array(startRows);

  get count(): number {
    return this.#count;
  }

  /** @returns its index */
  add({ key, reference, amount, scale, day, inPeriod, feeOf, perhaps, isFar }: StoredRow): number {
    const row = this.#count;
    if (row === this.#keys.length) this.#makeRoom(row * 2);
    this.#keys[row] = key;
    this.#references[row] = reference;
    this.#amounts[row] = amount ?? 0;
    this.#scales[row] = scale;
    this.#days[row] = day;
    this.#flags[row] =
      (inPeriod ? inPeriodFlag : 0) |
      (feeOf === undefined ? 0 : feeFlag) |
      (amount === undefined ? amountlessFlag : 0) |
      (perhaps === true ? perhapsFlag : 0) |
      (isFar === true ? farFlag : 0);
    this.#parents[row] = feeOf ?? 0;
    this.#partners[row] = noRow;
    this.#count = row + 1;
    return row;
  }

  keyOf(row: number): number {
    return this.#keys[row] ?? 0;
  }

  referenceOf(row: number): number {
    return this.#references[row] ?? 0;
  }

  amountOf(row: number): number {
    return this.#amounts[row] ?? 0;
  }

  scaleOf(row: number): number {
    return this.#scales[row] ?? 0;
  }

  dayOf(row: number): number {
    return this.#days[row] ?? 0;
  }

  isInPeriod(row: number): boolean {
    return ((this.#flags[row] ?? 0) & inPeriodFlag) !== 0;
  }

  isFee(row: number): boolean {
    return ((this.#flags[row] ?? 0) & feeFlag) !== 0;
  }

  hasAmount(row: number): boolean {
    return ((this.#flags[row] ?? 0) & amountlessFlag) === 0;
  }

  isPerhaps(row: number): boolean {
    return ((this.#flags[row] ?? 0) & perhapsFlag) !== 0;
  }

  isFar(row: number): boolean {
    return ((this.#flags[row] ?? 0) & farFlag) !== 0;
  }

  /** What a fee's row is the fee of. */
  parentOf(row: number): number {
    return this.#parents[row] ?? 0;
  }

  /** The fees that joined the row, as a code: below zero where they were taken. */
  feeOf(row: number): number {
    return this.#fees[row] ?? 0;
  }

  setFee(row: number, fee: number): void {
    this.#fees[row] = fee;
  }

  verdictOf(row: number): RowVerdict {
    return verdicts[this.#verdicts[row] ?? 0];
  }

  isOpen(row: number): boolean {
    return (this.#verdicts[row] ?? 0) === 0;
  }

  /** Which of two rows comes first that agree in everything else: the one with fewer digits, then the first. */
  compareRest(one: number, other: number): number {
    return this.scaleOf(one) - this.scaleOf(other) || one - other;
  }

  /** Its row on the other side; undefined where it stands alone. */
  partnerOf(row: number): number | undefined {
    const partner = this.#partners[row] ?? 0;
    return partner === noRow ? undefined : partner;
  }

  decide(row: number, verdict: RowVerdict, partner = noRow): void {
    this.#verdicts[row] = verdictCodes.get(verdict) ?? 0;
    this.#partners[row] = partner;
  }

  #makeRoom(rows: number): void {
    this.#keys = roomFor(rows, this.#keys, Int32Array);
    this.#references = roomFor(rows, this.#references, Int32Array);
    this.#amounts = roomFor(rows, this.#amounts, Float64Array);
    this.#scales = roomFor(rows, this.#scales, Uint8Array);
    this.#days = roomFor(rows, this.#days, Int32Array);
    this.#flags = roomFor(rows, this.#flags, Uint8Array);
    this.#parents = roomFor(rows, this.#parents, Int32Array);
    this.#fees = roomFor(rows, this.#fees, Float64Array);
    this.#verdicts = roomFor(rows, this.#verdicts, Uint8Array);
    this.#partners = roomFor(rows, this.#partners, Int32Array);
  }
}
