import type { Database } from "../../storage/sqlite/database.ts";
import type { LedgerAccount, RowsWanted } from "../ledger.ts";
import { Columns } from "../records.ts";

interface PlacesBetween {
  readonly first: number;
  readonly last: number;
}

/** The condition for rows of `entries AS e` that are known at `:asOf`, or now. */
export function visibleAt(asOf: number | undefined): string {
  return asOf === undefined ? "e.gone_at IS NULL" : "e.seen_at <= :asOf AND (e.gone_at IS NULL OR e.gone_at > :asOf)";
}

/** Joins the balances of rows at `:asOf`, as `f`, where they have changed since. */
export const formerJoin = `LEFT JOIN former AS f ON f.entry = e.number
  AND f.until = (SELECT min(until) FROM former WHERE entry = e.number AND until > :asOf)`;

/** SQL for a row's balance at that time, in whole smallest units. */
export function balanceAt(asOf: number | undefined): string {
  return asOf === undefined ? "e.balance_minor" : "iif(f.entry IS NULL, e.balance_minor, f.balance_minor)";
}

/** SQL for a row's balances at that time; null where they are the same now. */
export function formerAt(asOf: number | undefined): string {
  return asOf === undefined ? "NULL" : "f.balances";
}

/** The first and last number of rows of those days; undefined where there are none. */
export function rangeOfDays(
  database: Database,
  account: LedgerAccount,
  { startDay = "", endDay = "9999-12-31" }: RowsWanted,
): PlacesBetween | undefined {
  const record = database.get(
    `SELECT min(first) AS first, max(last) AS last FROM day_ranges
     WHERE account = :account AND day >= :startDay AND day <= :endDay`,
    { account: account.number, startDay, endDay },
  );
  return database.attempt(() => {
    const columns = new Columns(record);
    const [first, last] = [columns.numberOrNull("first"), columns.numberOrNull("last")];
    return first === null || last === null ? undefined : { first, last };
  });
}

/** Rows that count for the days from `:startDay` to `:endDay`; `:dayless` has those without a value date. */
export const inDays = `AND (e.day >= :startDay AND e.day <= :endDay AND e.day <> ''
  OR e.number IN (SELECT value FROM json_each(:dayless)))`;

/** The range extended to these rows. */
export function widened(
  range: PlacesBetween | undefined,
  rows: ReadonlyMap<number, string>,
): PlacesBetween | undefined {
  let { first, last } = range ?? { first: Infinity, last: -Infinity };
  for (const number of rows.keys()) [first, last] = [Math.min(first, number), Math.max(last, number)];
  return first > last ? undefined : { first, last };
}

/** The same accounts, with their closures that counted then. */
export function accountsWithClosures(asOf: number | undefined): string {
  const counted =
    asOf === undefined ? "lapsed_at IS NULL" : "accepted_at <= :asOf AND (lapsed_at IS NULL OR lapsed_at > :asOf)";
  return `(SELECT a.*, c.evidence AS closure_evidence, c.accepted_by AS closure_by, c.accepted_at AS closure_at
    FROM ${accountsAt(asOf)} AS a LEFT JOIN main.closures AS c
      ON c.number = (SELECT max(number) FROM main.closures WHERE account = a.number AND ${counted}))`;
}

/** The accounts that were known at `:asOf`, as the last sync before it left them, or as they are now. */
export function accountsAt(asOf: number | undefined): string {
  if (asOf === undefined) return "main.accounts";
  return `(SELECT a.number, a.scope, a.kind, a.account, a.profile, a.name, a.currency, a.newest_first,
      s.first_day, s.last_day, s.live, s.is_reached, s.synced_at
    FROM main.accounts AS a NOT INDEXED JOIN main.syncs AS s ON s.account = a.number
      AND s.synced_at = (SELECT max(synced_at) FROM main.syncs WHERE account = a.number AND synced_at <= :asOf))`;
}
