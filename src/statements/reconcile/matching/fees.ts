import { RowSet } from "../../row-set.ts";
import { joined } from "../rows/verdicts.ts";
import { Chains } from "./chains.ts";
import type { RowStores } from "./sides.ts";
import { pair } from "./sides.ts";

/**
 * Assigns the fees of a statement to the rows that they belong to: the first row with the reference that they name, or,
 * for a payout, with the service's id. A repeated fee is marked as such, and not assigned.
 */
export class Fees {
  readonly count: number;
  readonly #sides: RowStores;
  readonly #fees: readonly number[];
  readonly #parents: Chains | undefined;
  readonly #ofParent = new Map<number, number[]>();

  constructor(sides: RowStores) {
    this.#sides = sides;
    const { statement, texts, codes } = sides;
    const fees: number[] = [];
    for (let row = 0; row < statement.count; row += 1) if (statement.isFee(row)) fees.push(row);
    this.#fees = fees;
    this.count = fees.length;
    if (fees.length === 0) return;
    this.#parents = new Chains(statement, texts.count, (row) =>
      statement.isFee(row) ? 0 : statement.referenceOf(row),
    );
    const seen = new RowSet();
    for (const fee of fees) {
      if (this.#isAgain(fee, seen)) statement.flags.set(fee, "repeated");
      const parent = this.#parentOf(fee);
      // A fee that was carried over belongs to a row that was carried over.
      if (parent !== undefined && statement.flags.has(parent, "carried") !== statement.flags.has(fee, "carried"))
        continue;
      if (parent === undefined || statement.flags.has(fee, "repeated") || !statement.hasAmount(fee)) continue;
      statement.setFee(parent, codes.sumOf(statement.feeOf(parent), statement.amountOf(fee)));
      const others = this.#ofParent.get(parent);
      if (others === undefined) this.#ofParent.set(parent, [fee]);
      else others.push(fee);
    }
  }

  /** True for a fee that is in the statement twice. A carried fee is not of the period, so it never counts. */
  #isAgain(fee: number, seen: RowSet): boolean {
    const { statement } = this.#sides;
    if (statement.parentOf(fee) === 0 || statement.flags.has(fee, "carried")) return false;
    return seen.add(`${statement.keyOf(fee)} ${statement.parentOf(fee)} ${statement.amountOf(fee)}`);
  }

  #parentOf(fee: number): number | undefined {
    const { statement } = this.#sides;
    const names = [statement.parentOf(fee), statement.paidIdOf(fee)].filter((name) => name !== 0);
    return names.map((name) => this.#parents?.firstOf(name)).find((row) => row !== undefined);
  }

  /** Matches fees that the book has under the reference of their payment. */
  matchUnderParents(booked: Chains): void {
    const { statement, book } = this.#sides;
    for (const fee of this.#fees) {
      if (!statement.isOpen(fee) || !statement.hasAmount(fee) || statement.flags.has(fee, "repeated")) continue;
      const entries = this.#entriesUnder(fee, booked).filter(
        (entry) => book.isOpen(entry) && !book.isFar(entry) && book.amountOf(entry) === statement.amountOf(fee),
      );
      const [entry] = entries;
      if (entry !== undefined && entries.length === 1) pair(this.#sides, fee, entry, "matched");
    }
  }

  #entriesUnder(fee: number, booked: Chains): readonly number[] {
    const { statement } = this.#sides;
    const parent = this.#parentOf(fee);
    return booked.of(parent === undefined ? statement.parentOf(fee) : statement.keyOf(parent));
  }

  /** The sum of a row's fees for which the book has no entry, as a code. */
  openFeeOf(row: number): number {
    const { statement, codes } = this.#sides;
    const fees = this.#ofParent.get(row) ?? [];
    return fees.reduce((sum, fee) => (statement.isOpen(fee) ? codes.sumOf(sum, statement.amountOf(fee)) : sum), 0);
  }

  /** Joins open fees to their row, whose entry in the book is net of them. */
  join(row: number): void {
    const { statement } = this.#sides;
    for (const fee of this.#ofParent.get(row) ?? []) if (statement.isOpen(fee)) statement.decide(fee, joined, row);
  }

  /** Undecided fees, of the period or carried into it. */
  open(): readonly number[] {
    return this.#fees.filter((fee) => this.#sides.statement.isOpen(fee));
  }

  /** Classifies the fees that are still open. */
  settle(): void {
    const { statement } = this.#sides;
    for (const fee of this.open()) {
      const isRepeated = statement.flags.has(fee, "repeated") || statement.flags.has(fee, "recurring");
      const isOrphan =
        statement.parentOf(fee) !== 0 && this.#parentOf(fee) === undefined && !statement.flags.has(fee, "carried");
      statement.decide(fee, isRepeated ? "duplicate" : isOrphan ? "orphan fee" : "fee not in book");
    }
  }
}
