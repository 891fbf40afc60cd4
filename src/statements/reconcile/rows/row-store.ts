import { PackedTexts } from "../../packing/packed-texts.ts";
import { RowFlags } from "./row-flags.ts";
import { roomFor, startRows } from "../../packing/columns.ts";
import type { RowTexts } from "./row-texts.ts";
import { noTexts } from "./row-texts.ts";
import type { StoredRow } from "./stored-row.ts";
import type { RowVerdict } from "./verdicts.ts";
import { verdictCodes, verdicts } from "./verdicts.ts";

/** The day of a row that has none. */
export const noDay = -(2 ** 31);
const noRow = -1;

/** All rows of the statement, or of the book, packed. Rows are identified by their index. */
export class RowStore {
  readonly flags = new RowFlags();
  #count = 0;
  #keys = new Int32Array(startRows);
  #amounts = new Float64Array(startRows);
  #scales = new Uint8Array(startRows);
  #days = new Int32Array(startRows);
  #lines = new Int32Array(startRows);
  #verdicts = new Uint8Array(startRows);
  #partners = new Int32Array(startRows);
  /** Only where one of them differs from its key. */
  #references: Int32Array | undefined;
  /** Only where there are fees. */
  readonly #paidIds = new Map<number, number>();
  #parents: Int32Array | undefined;
  #fees: Float64Array | undefined;
  readonly #texts = new PackedTexts();

  get count(): number {
    return this.#count;
  }

  /** @returns its index */
  add(stored: StoredRow): number {
    const { key, reference, amount, scale, day, feeOf, texts = noTexts } = stored;
    const row = this.#count;
    if (row === this.#keys.length) this.#makeRoom(row * 2);
    this.#keys[row] = key;
    this.#amounts[row] = amount ?? 0;
    this.#scales[row] = scale;
    this.#days[row] = day;
    this.#lines[row] = stored.line ?? 0;
    if (reference !== key) this.#references ??= this.#keys.slice();
    if (this.#references !== undefined) this.#references[row] = reference;
    if (feeOf !== undefined) this.#setParent(row, feeOf);
    if (stored.feeOfId !== undefined) this.#paidIds.set(row, stored.feeOfId);
    this.flags.add(row, stored);
    this.#texts.add(texts.narration, texts.counterparty);
    this.#partners[row] = noRow;
    this.#count = row + 1;
    return row;
  }

  keyOf(row: number): number {
    return this.#keys[row] ?? 0;
  }

  referenceOf(row: number): number {
    return (this.#references ?? this.#keys)[row] ?? 0;
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

  /** Its number among the statement's rows of the period, or its line in the book; 0 for none. */
  lineOf(row: number): number {
    return this.#lines[row] ?? 0;
  }

  textsOf(row: number): RowTexts {
    const [narration, counterparty] = this.#texts.of(row);
    return { narration, counterparty };
  }

  isInPeriod(row: number): boolean {
    return this.flags.has(row, "inPeriod");
  }

  /** True for a row of the period, or one that is open since an earlier one. */
  counts(row: number): boolean {
    return this.flags.has(row, "inPeriod") || this.flags.has(row, "carried");
  }

  isFee(row: number): boolean {
    return this.flags.has(row, "fee");
  }

  hasAmount(row: number): boolean {
    return !this.flags.has(row, "amountless");
  }

  isPerhaps(row: number): boolean {
    return this.flags.has(row, "perhaps");
  }

  isFar(row: number): boolean {
    return this.flags.has(row, "far");
  }

  /** The reference that a fee names as its payment's, as an id; 0 for none. */
  parentOf(row: number): number {
    return this.#parents?.[row] ?? 0;
  }

  /** The other reference that the payout of a fee may have, as an id; 0 for none. */
  paidIdOf(row: number): number {
    return this.#paidIds.get(row) ?? 0;
  }

  /** The sum of the row's fees, as a code: below zero where they were charged. */
  feeOf(row: number): number {
    return this.#fees?.[row] ?? 0;
  }

  setFee(row: number, fee: number): void {
    this.#fees ??= new Float64Array(this.#keys.length);
    this.#fees[row] = fee;
  }

  verdictOf(row: number): RowVerdict {
    return verdicts[this.#verdicts[row] ?? 0];
  }

  /** True where neither this month nor an earlier one has decided about the row. */
  isOpen(row: number): boolean {
    return (this.#verdicts[row] ?? 0) === 0 && !this.isSettled(row);
  }

  /** True where an earlier month was reconciled with it, as far as is known. */
  isSettled(row: number): boolean {
    return this.flags.has(row, "settled");
  }

  /** Orders two rows that agree in everything else: the one with fewer digits first, then the earlier one. */
  compareRest(one: number, other: number): number {
    return this.scaleOf(one) - this.scaleOf(other) || one - other;
  }

  /** Its row on the other side, the first of several; undefined without a pair. */
  partnerOf(row: number): number | undefined {
    const partner = this.#partners[row] ?? noRow;
    return partner === noRow ? undefined : partner;
  }

  decide(row: number, verdict: RowVerdict, partner = noRow): void {
    this.#verdicts[row] = verdictCodes.get(verdict) ?? 0;
    this.#partners[row] = partner;
  }

  /** Replaces the verdict, and keeps the partner. */
  changeVerdict(row: number, verdict: RowVerdict): void {
    this.#verdicts[row] = verdictCodes.get(verdict) ?? 0;
  }

  /** All open rows. */
  *openRows(): Generator<number> {
    for (let row = 0; row < this.#count; row += 1) if (this.isOpen(row)) yield row;
  }

  #setParent(row: number, parent: number): void {
    this.#parents ??= new Int32Array(this.#keys.length);
    this.#parents[row] = parent;
  }

  #makeRoom(rows: number): void {
    this.#keys = roomFor(rows, this.#keys, Int32Array);
    this.#amounts = roomFor(rows, this.#amounts, Float64Array);
    this.#scales = roomFor(rows, this.#scales, Uint8Array);
    this.#days = roomFor(rows, this.#days, Int32Array);
    this.#lines = roomFor(rows, this.#lines, Int32Array);
    this.#verdicts = roomFor(rows, this.#verdicts, Uint8Array);
    this.#partners = roomFor(rows, this.#partners, Int32Array);
    if (this.#references !== undefined) this.#references = roomFor(rows, this.#references, Int32Array);
    if (this.#parents !== undefined) this.#parents = roomFor(rows, this.#parents, Int32Array);
    if (this.#fees !== undefined) this.#fees = roomFor(rows, this.#fees, Float64Array);
  }
}
