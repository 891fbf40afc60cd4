import type { StatementRow } from "./rows/statement-row.ts";
import { fits } from "./tie.ts";
import type { Trial } from "./trial.ts";

/**
 * Which row is whose, where several orders are alike and their rows carry no id: as many rows as orders, each in turn.
 * @returns nothing where there are more or fewer, or a row does not fit its order
 */
export function sharesOut(rows: readonly StatementRow[], orders: readonly Trial[]): Map<Trial, StatementRow> {
  const inTurn = orders.toSorted((one, other) => one.order.openedAt - other.order.openedAt);
  const dated = rows.toSorted((one, other) => (one.valueDay?.serial ?? 0) - (other.valueDay?.serial ?? 0));
  const shares = new Map(inTurn.flatMap((order, index) => dated.slice(index, index + 1).map((row) => [order, row])));
  const isEven = rows.length === orders.length;
  return isEven && [...shares].every(([order, row]) => fits(order, row)) ? shares : new Map();
}
