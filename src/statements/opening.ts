import type { Rows } from "../contract/endpoint.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { Period } from "../values/time/period.ts";
import { StatementCheck } from "./check.ts";
import type { EntryShape } from "./entry.ts";
import { StatementTotals } from "./formats/totals.ts";

/**
 * The balance of an account before the first of these rows; undefined without rows or balances. The chain of balances
 * decides which row was first: the top row may have been booked later.
 */
export async function openingOf(rows: Rows, shape: EntryShape, period: Period): Promise<Decimal | undefined> {
  const check = new StatementCheck(shape, period);
  const totals = new StatementTotals();
  await check.readThrough(rows, [totals]);
  return (check.bookedEnds ?? totals.ends(check.isNewestFirst))?.opening;
}
