import type { Decimal } from "../values/money/decimal.ts";
import { quote } from "../values/text/text.ts";

/** Digits after the point of a balance: shillings are always shown with two. */
const balanceScale = 2;

/** Why a statement does not add up: a row with what is wrong. */
export interface Discrepancy {
  /** Counted from 1. */
  readonly row: number;
  readonly reference: string;
  readonly what: string;
}

/** In a person's words: `row 4 ("D"): balance 13.00, expected 12.00`. */
export function describeDiscrepancy({ row, reference, what }: Discrepancy): string {
  return `row ${row}${reference === "" ? "" : ` (${quote(reference)})`}: ${what}`;
}

/** The problem of a row whose balance doesn't follow from the rows before it. */
export function wrongBalance(balance: Decimal, expected: Decimal): string {
  return `balance ${balance.grouped(balanceScale)}, expected ${expected.grouped(balanceScale)}`;
}

/** The earlier of the two; in the same row the gap, which may be why the balance is wrong. */
export function firstOf(gap: Discrepancy | undefined, broken: Discrepancy | undefined): Discrepancy | undefined {
  return broken === undefined || (gap !== undefined && gap.row <= broken.row) ? gap : broken;
}
