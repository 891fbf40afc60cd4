import type { StatementProof } from "./movement.ts";
import type { KeyRow } from "./movement-row.ts";
import type { RedactedOrder } from "./redaction/redacted-order.ts";
import type { EventRow, MovementRow } from "./history/row.ts";
import type { Spending } from "./spending.ts";

/** A row that has no number yet: it gets the next one of its table when it is written. */
export type Unnumbered<R extends { readonly number: number }> = Omit<R, "number">;

/** Writes of one transaction: all of them are on record when it ends, or none. */
export interface TransactionWriter {
  /** False for an id that another movement has. */
  isFree(id: string): boolean;
  addMovement(row: Unnumbered<MovementRow>): MovementRow;
  /**
   * Puts the row in place of the one with its number, which still has the claim `held`.
   * @throws {DamageError} where it doesn't
   */
  changeMovement(row: MovementRow, held: string): MovementRow;
  addEvent(row: Unnumbered<EventRow>): void;
  /** What a movement is looked up by from now on: a new attempt may have another payer, receiver or amount. */
  changeKeys(movement: number, keys: KeyRow): void;
  changeStanding(movement: number, standing: KeyRow["standing"]): void;
  /** Adds to what left an account on a day. */
  addSpending(spending: Spending): void;
  /** Replaces an order, its history and its proofs by their redacted form. */
  redact(order: Omit<RedactedOrder, "replaced">): void;
  /** Rows of statements that prove an order. Those that prove it already are left as they are. */
  addProofs(movement: number, proofs: readonly StatementProof[]): void;
}
