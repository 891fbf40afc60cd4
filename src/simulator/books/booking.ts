import type { JsonObject } from "../../values/json.ts";

/** Money that an order moved through wallets, with everything needed to reverse it later. Kept in state files. */
export interface Booking {
  readonly endpoint: "transfer" | "withdraw" | "collect" | "payout";
  /** The wallet that pays, or that a subscriber pays into. */
  readonly account: string;
  /** The wallet that a transfer pays. */
  readonly to?: string | undefined;
  /** More than zero; the request's own digits. */
  readonly amount: string;
  /** The order's own reference; for a transfer, which has none, the tag at the end of its narration. */
  readonly reference: string;
  readonly transactionId: string;
  /** The `tranRefNo` of its rows. */
  readonly rowReference: string;
  readonly narration: string;
}

/** How rows look that reverse a booking, or book it again. */
export interface RowLook {
  readonly reference: string;
  readonly narration: string;
  /** True for a row on the same side as the original, with a negative amount. */
  readonly isNegative: boolean;
}

/** Called with each booking and its rows on all accounts, synchronously. */
export type BookingListener = (booking: Booking, rows: readonly JsonObject[]) => void;
