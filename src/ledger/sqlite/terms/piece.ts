import type { Term } from "../../terms/term.ts";
import { termsEnd } from "../../terms/term.ts";
import { ByteReader, ByteWriter } from "./postings.ts";

/** A row's position in its piece fits in 16 bits. */
export const pieceMaxRows = 2 ** 16;
/** The size of one read of a piece: it fits a page of the database. */
const bucketBytes = 3_900;
const digitBits = 14;
const digits = 2 ** digitBits;

/** A run of terms, each with the positions of its rows. `bytes` starts from the term `first`. */
export interface Bucket {
  readonly first: Term;
  readonly bytes: Uint8Array;
}

/** Rows on their way into the index, with their terms. */
export class PieceBuilder {
  readonly #numbers: number[] = [];
  /** A term, and at the same index the position of a row that has it. */
  #terms = new Uint32Array(2 ** 12);
  #rows = new Uint16Array(2 ** 12);
  #length = 0;

  get rowCount(): number {
    return this.#numbers.length;
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /**
   * Begins a row: terms added until the next one belong to it.
   * @returns its position
   */
  begin(number: number): number {
    return this.#numbers.push(number) - 1;
  }

  readonly add = (term: Term): void => this.put(term, this.#numbers.length - 1);

  /** Rows of a term must come in ascending order. */
  put(term: Term, row: number): void {
    if (this.#length === this.#terms.length) {
      const [terms, rows] = [new Uint32Array(2 * this.#length), new Uint16Array(2 * this.#length)];
      terms.set(this.#terms);
      rows.set(this.#rows);
      [this.#terms, this.#rows] = [terms, rows];
    }
    this.#terms[this.#length] = term;
    this.#rows[this.#length] = row;
    this.#length += 1;
  }

  /** Terms in ascending order, each with the count of its rows, and these rows in ascending order. */
  *buckets(): Generator<Bucket> {
    const { terms, rows } = sorted(this.#terms.subarray(0, this.#length), this.#rows.subarray(0, this.#length));
    const bytes = new ByteWriter();
    let [first, last] = [0, 0];
    for (let at = 0; at < terms.length;) {
      const term = terms[at] ?? 0;
      if (bytes.length === 0) [first, last] = [term, term];
      bytes.put(term - last);
      let [end, count] = [at + 1, 1];
      for (; end < terms.length && terms[end] === term; end += 1) if (rows[end] !== rows[end - 1]) count += 1;
      bytes.put(count);
      for (let before = -1; at < end; at += 1) {
        const row = rows[at] ?? 0;
        if (row === before) continue;
        bytes.put(row - Math.max(before, 0));
        before = row;
      }
      last = term;
      if (bytes.length >= bucketBytes) yield { first, bytes: bytes.take() };
    }
    if (bytes.length > 0) yield { first, bytes: bytes.take() };
  }
}

interface Sorted {
  readonly terms: Uint32Array;
  readonly rows: Uint16Array;
}

/** A stable radix sort by term. */
function sorted(terms: Uint32Array, rows: Uint16Array): Sorted {
  let [from, to]: [Sorted, Sorted] = [
    { terms, rows },
    { terms: new Uint32Array(terms.length), rows: new Uint16Array(rows.length) },
  ];
  for (let shift = 0; 2 ** shift < termsEnd; shift += digitBits) {
    const places = new Uint32Array(digits + 1);
    for (const term of from.terms) {
      const digit = (term >>> shift) & (digits - 1);
      places[digit + 1] = (places[digit + 1] ?? 0) + 1;
    }
    for (let digit = 0; digit < digits; digit += 1) places[digit + 1] = (places[digit + 1] ?? 0) + (places[digit] ?? 0);
    for (let at = 0; at < terms.length; at += 1) {
      const term = from.terms[at] ?? 0;
      const digit = (term >>> shift) & (digits - 1);
      const place = places[digit] ?? 0;
      places[digit] = place + 1;
      to.terms[place] = term;
      to.rows[place] = from.rows[at] ?? 0;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Row numbers, delta-encoded: most go up by the same step. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes = new ByteWriter();
  let last = 0;
  for (const number of numbers) {
    const step = number - last;
    bytes.put(step < 0 ? -2 * step - 1 : 2 * step);
    last = number;
  }
  return bytes.take();
}

/** @throws {DamageError} */
export function decodeNumbers(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes);
  const numbers: number[] = [];
  let last = 0;
  while (!reader.isAtEnd) {
    const code = reader.next();
    last += code % 2 === 0 ? code / 2 : -(code + 1) / 2;
    numbers.push(last);
  }
  return numbers;
}

/** The positions of the rows that have a term. */
export interface Posting {
  readonly count: number;
  /** @throws {DamageError} */
  rows(): readonly number[];
}

/**
 * Reads the terms of a bucket in ascending order.
 * @throws {DamageError}
 */
export class BucketReader {
  readonly #bytes: Uint8Array;
  readonly #reader: ByteReader;
  #term: Term;
  #count = 0;
  #start = 0;

  constructor({ first, bytes }: Bucket) {
    this.#bytes = bytes;
    this.#reader = new ByteReader(bytes);
    this.#term = first;
    this.next();
  }

  /** The current term. */
  get term(): Term {
    return this.#term;
  }

  get posting(): Posting {
    const [bytes, count, start] = [this.#bytes, this.#count, this.#start];
    return { count, rows: () => rowsFrom(new ByteReader(bytes, start), count) };
  }

  /**
   * Moves to the next term.
   * @returns false at the end
   */
  next(): boolean {
    if (this.#reader.isAtEnd) return false;
    this.#term += this.#reader.next();
    this.#count = this.#reader.next();
    this.#start = this.#reader.at;
    this.#reader.skip(this.#count);
    return true;
  }

  /**
   * Moves to that term, or to the next one after it.
   * @returns false where all terms are before it
   */
  reaches(term: Term): boolean {
    while (this.#term < term) if (!this.next()) return false;
    return true;
  }
}

function rowsFrom(reader: ByteReader, count: number): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; rows.length < count;) rows.push((row += reader.next()));
  return rows;
}
