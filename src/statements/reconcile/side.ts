import { bytes, integers, reals } from "./columns.ts";

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
export type Verdict = (typeof verdicts)[number];
const verdictCodes = new Map(verdicts.map((verdict, code) => [verdict, code]));

/** The day of a row that has none. */
export const noDay = -(2 ** 31);
const noRow = -1;

/** One row of a statement or of a book. */
export interface SideRow {
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
export class Side {
  readonly #keys = integers();
  readonly #references = integers();
  readonly #amounts = reals();
  readonly #scales = bytes();
  readonly #days = integers();
  readonly #flags = bytes();
  readonly #parents = integers();
  readonly #fees = reals();
  readonly #verdicts = bytes();
  readonly #partners = integers();

  get count(): number {
    return this.#keys.length;
  }

  /** @returns its index */
  add({ key, reference, amount, scale, day, inPeriod, feeOf, perhaps, isFar }: SideRow): number {
    this.#keys.push(key);
    this.#references.push(reference);
    this.#amounts.push(amount ?? 0);
    this.#scales.push(scale);
    this.#days.push(day);
    this.#flags.push(
      (inPeriod ? inPeriodFlag : 0) |
        (feeOf === undefined ? 0 : feeFlag) |
        (amount === undefined ? amountlessFlag : 0) |
        (perhaps === true ? perhapsFlag : 0) |
        (isFar === true ? farFlag : 0),
    );
    this.#parents.push(feeOf ?? 0);
    this.#fees.push(0);
    this.#verdicts.push(0);
    this.#partners.push(noRow);
    return this.count - 1;
  }

  keyOf(row: number): number {
    return this.#keys.at(row);
  }

  referenceOf(row: number): number {
    return this.#references.at(row);
  }

  amountOf(row: number): number {
    return this.#amounts.at(row);
  }

  scaleOf(row: number): number {
    return this.#scales.at(row);
  }

  dayOf(row: number): number {
    return this.#days.at(row);
  }

  isInPeriod(row: number): boolean {
    return (this.#flags.at(row) & inPeriodFlag) !== 0;
  }

  isFee(row: number): boolean {
    return (this.#flags.at(row) & feeFlag) !== 0;
  }

  hasAmount(row: number): boolean {
    return (this.#flags.at(row) & amountlessFlag) === 0;
  }

  isPerhaps(row: number): boolean {
    return (this.#flags.at(row) & perhapsFlag) !== 0;
  }

  isFar(row: number): boolean {
    return (this.#flags.at(row) & farFlag) !== 0;
  }

  /** What a fee's row is the fee of. */
  parentOf(row: number): number {
    return this.#parents.at(row);
  }

  /** The fees that joined the row, as a code: below zero where they were taken. */
  feeOf(row: number): number {
    return this.#fees.at(row);
  }

  setFee(row: number, fee: number): void {
    this.#fees.set(row, fee);
  }

  verdictOf(row: number): Verdict {
    return verdicts[this.#verdicts.at(row)];
  }

  isOpen(row: number): boolean {
    return this.#verdicts.at(row) === 0;
  }

  /** Which of two rows comes first that agree in everything else: the one with fewer digits, then the first. */
  compareRest(one: number, other: number): number {
    return this.scaleOf(one) - this.scaleOf(other) || one - other;
  }

  /** Its row on the other side; undefined where it stands alone. */
  partnerOf(row: number): number | undefined {
    const partner = this.#partners.at(row);
    return partner === noRow ? undefined : partner;
  }

  decide(row: number, verdict: Verdict, partner = noRow): void {
    this.#verdicts.set(row, verdictCodes.get(verdict) ?? 0);
    this.#partners.set(row, partner);
  }
}
