import type { Booking, RowLook } from "../books/booking.ts";
import type { RemittanceState } from "../outcomes.ts";

/** A scheduled action of the simulator, by its own clock. Jobs survive in the state file. */
export type Job = SettleJob | PayJob | AdvanceJob | RebookJob | PostJob;

/** The subscriber answers: the money of a collection moves, or does not. */
export interface SettleJob {
  readonly kind: "settle";
  readonly atMs: number;
  readonly transactionRef: string;
}

/** The operator or the bank answers: the money of a payout moves, or does not. */
export interface PayJob {
  readonly kind: "pay";
  readonly atMs: number;
  readonly transactionRef: string;
}

/** A remittance reaches its next state. */
export interface AdvanceJob {
  readonly kind: "advance";
  readonly atMs: number;
  readonly partnerReference: string;
  readonly state: RemittanceState;
}

/** A booking is reversed, or booked once more. */
export interface RebookJob {
  readonly kind: "rebook";
  readonly atMs: number;
  readonly way: "back" | "forth";
  readonly booking: Booking;
  readonly look: RowLook;
}

/** A body to deliver to an address, by the rules of spec 6.2. */
export interface PostJob {
  readonly kind: "post";
  readonly atMs: number;
  readonly url: string;
  /** JSON text, the same bytes at each attempt. */
  readonly body: string;
  /** How many attempts have failed already. */
  readonly failures: number;
  /** Distinguishes a payout's callback from a collection's, whose words are the same. */
  readonly of?: "payout" | undefined;
}
