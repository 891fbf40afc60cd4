import type { RowTexts } from "./row-texts.ts";

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
  /** Its number among the statement's rows of the period, or its line in the book; 0 for none. */
  readonly line?: number | undefined;
  readonly texts?: RowTexts | undefined;
  /** What the fee is of, as a number of the texts; 0 where nothing says it. */
  readonly feeOf?: number | undefined;
  /** For a payout's fee the service's id of what was paid: the paid row may have that as its reference. */
  readonly feeOfId?: number | undefined;
  /** Shown only where it matches: nobody knows whether it belongs to this account. */
  readonly perhaps?: boolean | undefined;
  /** Far from the period, where only the same reference with the same amount says anything. */
  readonly isFar?: boolean | undefined;
  /** Nobody knows whether it took place. */
  readonly isUncertain?: boolean | undefined;
}
