import type { Term } from "../../terms/term.ts";
import { ByteReader, ByteWriter } from "./postings.ts";

/** A row of a piece is named by its place in it, in 16 bits. */
export const pieceMaxRows = 2 ** 16;
/** What is read of a piece in one go: fits a page of the database. */
const bucketBytes = 3_900;

/** Terms of which the first one is known, each with the places of its rows. */
export interface Bucket {
  readonly first: Term;
  readonly bytes: Uint8Array;
}

/** Rows on their way into the index, with their terms. */
export class PieceBuilder {
  readonly #numbers: number[] = [];
  /** Each a term and the place of its row, in one number. */
  #pairs = new Float64Array(2 ** 12);
  #length = 0;

  get rowCount(): number {
    return this.#numbers.length;
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** Another row: what is added until the next one are its terms. @returns its place */
  begin(number: number): number {
    return this.#numbers.push(number) - 1;
  }

  readonly add = (term: Term): void => this.put(term, this.#numbers.length - 1);

  put(term: Term, row: number): void {
    if (this.#length === this.#pairs.length) {
      const longer = new Float64Array(2 * this.#length);
      longer.set(this.#pairs);
      this.#pairs = longer;
    }
    this.#pairs[this.#length] = term * pieceMaxRows + row;
    this.#length += 1;
  }

  /** Terms upwards, each with how many rows it has, and those upwards. */
  *buckets(): Generator<Bucket> {
    const pairs = withoutDoubles(this.#pairs.subarray(0, this.#length).sort());
    const bytes = new ByteWriter();
    let [first, last] = [0, 0];
    for (let at = 0; at < pairs.length;) {
      const term = Math.floor((pairs[at] ?? 0) / pieceMaxRows);
      const [start, end] = [term * pieceMaxRows, (term + 1) * pieceMaxRows];
      if (bytes.length === 0) [first, last] = [term, term];
      let next = at + 1;
      while (next < pairs.length && (pairs[next] ?? 0) < end) next += 1;
      bytes.put(term - last);
      bytes.put(next - at);
      for (let before = start; at < next; at += 1) {
        const pair = pairs[at] ?? 0;
        bytes.put(pair - before);
        before = pair;
      }
      last = term;
      if (bytes.length >= bucketBytes) yield { first, bytes: bytes.take() };
    }
    if (bytes.length > 0) yield { first, bytes: bytes.take() };
  }
}

function withoutDoubles(sorted: Float64Array): Float64Array {
  let [length, last] = [0, -1];
  for (const pair of sorted) {
    if (pair === last) continue;
    sorted[length++] = last = pair;
  }
  return sorted.subarray(0, length);
}

/** Numbers of rows, which mostly go up by the same step. */
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

/**
 * Goes through the terms of a bucket, upwards.
 * @throws {DamageError}
 */
export class BucketReader {
  readonly #reader: ByteReader;
  #term: Term;
  #rows: readonly number[] = [];

  constructor({ first, bytes }: Bucket) {
    this.#reader = new ByteReader(bytes);
    this.#term = first;
    this.next();
  }

  /** The term at which it is. */
  get term(): Term {
    return this.#term;
  }

  /** The places of that term's rows. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  /** Goes on to the next term. @returns false at the end */
  next(): boolean {
    if (this.#reader.isAtEnd) return false;
    this.#term += this.#reader.next();
    const rows: number[] = [];
    let row = 0;
    for (let count = this.#reader.next(); count > 0; count -= 1) {
      row += this.#reader.next();
      rows.push(row);
    }
    this.#rows = rows;
    return true;
  }

  /** Goes on to that term, or to where it would stand. @returns false where all are before it */
  reaches(term: Term): boolean {
    while (this.#term < term) if (!this.next()) return false;
    return true;
  }

  /** The places of that term's rows, when it is reached; undefined where it is not there. */
  rowsOf(term: Term): readonly number[] | undefined {
    return this.reaches(term) && this.#term === term ? this.#rows : undefined;
  }
}
