import type { Movement } from "../movement.ts";

/** An order by its number in the journal. */
export interface NumberedOrder {
  readonly number: number;
  readonly movement: Movement;
}

/** What an index of orders is made from and kept up to date with. */
export interface OrderTrail {
  /** How many lines of history there are: each change of an order is one. */
  lines(): number;
  /**
   * Identifies the line with that number; another journal or an older copy that went on has another mark there.
   * Undefined where there is no such line.
   */
  markOf(line: number): string | undefined;
  /** Orders that have a line after `after`, up to `upTo`. */
  changed(after: number, upTo: number): readonly NumberedOrder[];
  /** Orders with these numbers, as far as they are the account's. */
  orders(scope: string, numbers: readonly number[]): readonly Movement[];
}

/** A journal of whose orders an index can be kept. */
export interface Trailed {
  /** Undefined where several hosts share it, and while outcomes wait to be entered. */
  trail(): Promise<OrderTrail | undefined>;
}
