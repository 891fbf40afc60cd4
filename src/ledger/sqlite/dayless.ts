import type { Database } from "../../storage/sqlite/database.ts";
import type { LedgerAccount, RowsWanted } from "../ledger.ts";
import { placesOf } from "../places.ts";
import { Columns } from "../records.ts";
import { visibleAt } from "./visible.ts";

/** Each row without a day, with the day of the row before it, or else of the first row that has one. */
const daysBefore = (asOf: number | undefined) => `WITH shown AS (
    SELECT e.number, e.day, count(nullif(e.day, '')) OVER (ORDER BY e.number) AS days FROM entries AS e
    WHERE e.number >= :first AND e.number <= :last AND ${visibleAt(asOf)}),
  known AS (SELECT number, day, max(day) OVER (PARTITION BY days) AS before FROM shown)
  SELECT number, coalesce(nullif(before, ''), (SELECT day FROM shown WHERE days = 1 AND day <> ''), :firstDay) AS day
  FROM known WHERE day = ''`;

/**
 * Rows without a value date that count for one of these days. They lie among the others: without them, a statement
 * would not add up.
 * @returns the day that each row counts for, by its number
 */
export function daylessRows(
  database: Database,
  account: LedgerAccount,
  { startDay = "", endDay = "9999-12-31", asOf }: RowsWanted,
): ReadonlyMap<number, string> {
  const some = database.get("SELECT 1 FROM day_ranges WHERE account = :account AND day = ''", {
    account: account.number,
  });
  if (some === undefined) return new Map();
  const given = { ...placesOf(account), firstDay: account.firstDay ?? "", ...(asOf === undefined ? {} : { asOf }) };
  const records = database.all(daysBefore(asOf), given);
  return database.attempt(() => {
    const days = records.map((record): [number, string] => {
      const columns = new Columns(record);
      return [columns.number("number"), columns.text("day")];
    });
    return new Map(days.filter(([, day]) => day >= startDay && day <= endDay));
  });
}
