/** Later than any time at which a row was seen: the current state. */
const now = "9223372036854775807";

/** The condition for rows of `ledger_entries AS e` that are known at a time. `asOf` is SQL; null means now. */
export function visibleAt(asOf: string): string {
  const time = `coalesce(${asOf}, ${now})`;
  return `e.seen_at <= ${time} AND (e.gone_at IS NULL OR e.gone_at > ${time})`;
}

/** Joins rows as they were at that time, as `f`, where their balance has changed since. */
export function formerJoin(asOf: string): string {
  return `LEFT JOIN LATERAL (SELECT true AS is_there, former.raw, former.balance FROM partner.ledger_former AS former
    WHERE former.entry = e.number AND former.until > ${asOf} ORDER BY former.until LIMIT 1) AS f ON true`;
}

/** The row at that time, and its balance. */
export const rowThen = "CASE WHEN f.is_there THEN f.raw ELSE e.raw END";
export const balanceThen = "CASE WHEN f.is_there THEN f.balance ELSE e.balance END";

/** The same accounts, with their closures that counted then. */
export function accountsWithClosures(asOf: string): string {
  const time = `coalesce(${asOf}, ${now})`;
  return `SELECT a.*, c.evidence AS closure_evidence, c.accepted_by AS closure_by, c.accepted_at AS closure_at
    FROM (${accountsAt(asOf)}) AS a LEFT JOIN LATERAL (SELECT * FROM partner.ledger_closures AS closure
      WHERE closure.account = a.number AND closure.accepted_at <= ${time}
        AND (closure.lapsed_at IS NULL OR closure.lapsed_at > ${time})
      ORDER BY closure.number DESC LIMIT 1) AS c ON true`;
}

/**
 * The accounts that were known at that time, as the last sync before it left them; where `asOf` is null, as they are
 * now.
 */
export function accountsAt(asOf: string): string {
  return `SELECT a.number, a.scope, a.kind, a.account, a.profile, a.name, a.currency, a.digits, a.newest_first,
      CASE WHEN ${asOf} IS NULL THEN a.first_day ELSE s.first_day END AS first_day,
      CASE WHEN ${asOf} IS NULL THEN a.last_day ELSE s.last_day END AS last_day,
      CASE WHEN ${asOf} IS NULL THEN a.live ELSE s.live END AS live,
      CASE WHEN ${asOf} IS NULL THEN a.is_reached ELSE s.is_reached END AS is_reached,
      CASE WHEN ${asOf} IS NULL THEN a.synced_at ELSE s.synced_at END AS synced_at
    FROM partner.ledger_accounts AS a LEFT JOIN LATERAL (SELECT * FROM partner.ledger_syncs AS sync
      WHERE sync.account = a.number AND sync.synced_at <= ${asOf} ORDER BY sync.synced_at DESC LIMIT 1) AS s ON true
    WHERE ${asOf} IS NULL OR s.account IS NOT NULL`;
}
