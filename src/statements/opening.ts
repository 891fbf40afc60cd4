import type { Rows } from "../contract/endpoint.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { Period } from "../values/time/period.ts";
import { StatementCheck } from "./check.ts";
import type { EntryShape } from "./entry.ts";
import { StatementTotals } from "./formats/totals.ts";

/**
 * What an account held before the first of these rows; undefined where there are none, or they have no balance. The row
 * that stands first may have been booked later: the balances say which was the first.
 */
export async function openingOf(rows: Rows, shape: EntryShape, period: Period): Promise<Decimal | undefined> {
  const check = new StatementCheck(shape, period);
  const totals = new StatementTotals();
  await check.readThrough(rows, [totals]);
  return (check.bookedEnds ?? totals.ends(check.isNewestFirst))?.opening;
}
