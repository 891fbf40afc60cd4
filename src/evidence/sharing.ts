import type { StatementRow } from "./rows/statement-row.ts";
import { fits } from "./tie.ts";
import type { Trial } from "./trial.ts";

/**
 * Assigns rows without an id to orders that are alike: the first row to the first order, and so on.
 * @returns an empty map where there are more or fewer rows than orders, or a row does not fit its order
 */
export function shareOut(rows: readonly StatementRow[], orders: readonly Trial[]): Map<Trial, StatementRow> {
  const inTurn = orders.toSorted((one, other) => one.order.openedAt - other.order.openedAt);
  const dated = rows.toSorted((one, other) => (one.valueDay?.serial ?? 0) - (other.valueDay?.serial ?? 0));
  const shares = new Map(inTurn.flatMap((order, index) => dated.slice(index, index + 1).map((row) => [order, row])));
  const isEven = rows.length === orders.length;
  return isEven && [...shares].every(([order, row]) => fits(order, row)) ? shares : new Map();
}
