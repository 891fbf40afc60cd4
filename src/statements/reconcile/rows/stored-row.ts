import type { RowTexts } from "./row-texts.ts";

/** One row of a statement or of a book. */
export interface StoredRow {
  /** The reference to match by, as an id of the string table; 0 for none. */
  readonly key: number;
  /** The reference to show, as an id of the string table. */
  readonly reference: number;
  /** Credits are positive, as a code; undefined where there is no amount. */
  readonly amount: number | undefined;
  readonly scale: number;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** True where it counts; other rows can only match. */
  readonly inPeriod: boolean;
  /** Its number among the statement's rows of the period, or its line in the book; 0 for none. */
  readonly line?: number | undefined;
  readonly texts?: RowTexts | undefined;
  /**
   * The reference of the payment that it is the fee of, as an id of the string table; 0 where unknown. Undefined where
   * it isn't a fee.
   */
  readonly feeOf?: number | undefined;
  /** For the fee of a payout, the service's id of the payout, which may be the reference of its row. */
  readonly feeOfId?: number | undefined;
  /** Shown only where it matches: it may belong to another account. */
  readonly perhaps?: boolean | undefined;
  /** True far from the period, where only the same reference with the same amount matches. */
  readonly isFar?: boolean | undefined;
  /** True where its outcome is unknown. */
  readonly isUncertain?: boolean | undefined;
}
