import type { RowTexts } from "./row-texts.ts";

/** One row of a statement or of a book. */
export interface StoredRow {
  /** The text to match by, as a number of the string table; 0 for none. */
  readonly key: number;
  /** The text to show. */
  readonly reference: number;
  /** Credits are positive, as a code; undefined where there is no amount. */
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
  /** Shown only where it matches: it may belong to another account. */
  readonly perhaps?: boolean | undefined;
  /** Far from the period, where only the same reference with the same amount says anything. */
  readonly isFar?: boolean | undefined;
  /** True where its outcome is unknown. */
  readonly isUncertain?: boolean | undefined;
}
