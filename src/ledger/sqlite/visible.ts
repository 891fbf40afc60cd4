/** Which rows of `entries AS e` are known at `:asOf`, or now. */
export function visibleAt(asOf: number | undefined): string {
  return asOf === undefined ? "e.gone_at IS NULL" : "e.seen_at <= :asOf AND (e.gone_at IS NULL OR e.gone_at > :asOf)";
}

/** What rows said of balances at `:asOf`, as `f`, where they have said something else since. */
export const formerJoin = `LEFT JOIN former AS f ON f.entry = e.number
  AND f.until = (SELECT min(until) FROM former WHERE entry = e.number AND until > :asOf)`;

/** The balance of a row then, as SQL. */
export function balanceAt(asOf: number | undefined, column: "balance" | "balance_minor"): string {
  return asOf === undefined ? `e.${column}` : `iif(f.entry IS NULL, e.${column}, f.${column})`;
}

/** The accounts that were known at `:asOf`, as a sync had left them, or as they are now. */
export function accountsAt(asOf: number | undefined): string {
  if (asOf === undefined) return "main.accounts";
  return `(SELECT a.number, a.scope, a.kind, a.account, a.profile, a.name, a.currency, a.newest_first,
      s.first_day, s.last_day, s.live, s.is_reached, s.synced_at
    FROM main.accounts AS a JOIN main.syncs AS s ON s.account = a.number
      AND s.synced_at = (SELECT max(synced_at) FROM main.syncs WHERE account = a.number AND synced_at <= :asOf))`;
}
