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
