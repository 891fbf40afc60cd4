import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { LedgerAccount, RowsWanted } from "../ledger.ts";
import { Columns } from "../records.ts";
import { visibleAt } from "./visible.ts";

/** Each row without a day, with the day of the row before it, or else of the first row that has one. */
const daysBefore = `WITH shown AS (
    SELECT e.number, e.day, count(nullif(e.day, '')) OVER (ORDER BY e.number) AS days FROM partner.ledger_entries AS e
    WHERE e.account = $1 AND ${visibleAt("$2::bigint")}),
  known AS (SELECT number, day, max(day) OVER (PARTITION BY days) AS before FROM shown)
  SELECT number, coalesce(nullif(before, ''), (SELECT day FROM shown WHERE days = 1 AND day <> ''), $3) AS day
  FROM known WHERE day = '' ORDER BY number`;

/** Rows without a value date, and at the same index the day that each counts for. */
export interface Dayless {
  readonly numbers: readonly string[];
  readonly days: readonly string[];
}

/**
 * Rows without a value date that count for one of these days. They lie among the others: without them, a statement
 * would not add up.
 */
export async function daylessRows(
  database: SharedDatabase,
  account: LedgerAccount,
  { startDay = "", endDay = "9999-12-31", asOf }: RowsWanted,
): Promise<Dayless> {
  const some = "SELECT 1 FROM partner.ledger_entries WHERE account = $1 AND day = '' LIMIT 1";
  if ((await database.read(some, [account.number])).length === 0) return { numbers: [], days: [] };
  const records = await database.read(daysBefore, [account.number, asOf ?? null, account.firstDay ?? ""]);
  const rows = records
    .map((record) => new Columns(record))
    .map((columns) => ({ number: String(columns.number("number")), day: columns.text("day") }))
    .filter(({ day }) => day >= startDay && day <= endDay);
  return { numbers: rows.map(({ number }) => number), days: rows.map(({ day }) => day) };
}
