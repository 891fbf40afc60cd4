import { accountSpan } from "../places.ts";
import { accountsAt, balanceAt, formerJoin, visibleAt } from "../sqlite/visible.ts";

/** The accounts in the views, and the time for which rows are shown. */
export interface QueryScope {
  /** As `accountScope` names it; default: every account. */
  readonly scope?: string | undefined;
  /** Milliseconds since 1970 UTC; default: now. */
  readonly asOf?: number | undefined;
}

/** Views that are filled before a statement that names them runs: their rows come from elsewhere, or are computed. */
export const filledViews = {
  days: ["account", "day", "opening", "credits", "debits", "fees", "closing"],
  orders: [
    "profile",
    "id",
    "kind",
    "state",
    "reference",
    "amount",
    "currency",
    "payer",
    "receiver",
    "opened_at",
    "settled_at",
    "evidence",
    "transaction_id",
    "request",
    "response",
  ],
  events: ["id", "received_at", "state", "account", "credit", "debit", "currency", "reference", "payer", "payload"],
} as const;
export type FilledView = keyof typeof filledViews;

/** Views of the ledger itself. */
const ownViews = ["accounts", "rows", "changes", "acceptances"] as const;
/** Everything that a statement may read, as the guide documents it. */
export const viewNames: ReadonlySet<string> = new Set([...ownViews, ...Object.keys(filledViews)]);

/** To which day the ledger held an account when it was accepted that it was closed: later syncs may have read more. */
const lastDayThen = `coalesce((SELECT s.last_day FROM main.syncs AS s
  WHERE s.account = k.account AND s.synced_at <= k.accepted_at ORDER BY s.synced_at DESC LIMIT 1), a.last_day)`;

/**
 * The views as SQL. Amounts are the service's digits as text, and whole smallest units as numbers; times are ISO 8601.
 * `fee_parent` and names that begin with `row_` are functions of `LedgerQuery`.
 */
export function viewsOf({ scope, asOf }: QueryScope): string {
  const at = asOf === undefined ? undefined : asOf;
  const time = (sql: string) => sql.replaceAll(":asOf", String(at));
  const known = at === undefined ? "main.accounts NOT INDEXED" : time(accountsAt(at));
  const chosen = `SELECT * FROM ${known}${scope === undefined ? "" : ` WHERE scope = ${literal(scope)}`}`;
  const join = at === undefined ? "" : time(formerJoin);
  const visible = time(visibleAt(at));
  const raw = at === undefined ? "e.raw" : "row_with(e.raw, f.balances)";
  const acceptedBy = at === undefined ? "" : `WHERE k.accepted_at <= ${at}`;
  const inSpan = `e.number >= a.number * ${accountSpan} AND e.number < (a.number + 1) * ${accountSpan}`;
  return `
    CREATE TEMP VIEW accounts AS SELECT a.profile, a.account, a.kind, a.name, a.currency, a.first_day, a.last_day,
      (SELECT row_balance(a.kind, ${raw}) FROM entries AS e ${join} WHERE ${inSpan} AND ${visible}
       ORDER BY e.number DESC LIMIT 1) AS closing
      FROM (${chosen}) AS a ORDER BY a.number;
    CREATE TEMP VIEW rows AS SELECT a.profile, a.account, e.day, ${textOf("valueDate")} AS time, e.reference,
      ${textOf("narration")} AS narration,
      coalesce(${textOf("senderAccountName")}, ${textOf("senderAccountNo")}) AS counterparty,
      ${textOf("paymentReference")} AS payment_reference,
      CASE e.side WHEN 1 THEN 'credit' WHEN -1 THEN 'debit' END AS side,
      row_amount(a.kind, e.raw) AS amount, abs(e.change_minor) AS amount_minor,
      row_balance(a.kind, ${raw}) AS balance, ${balanceAt(at)} AS balance_minor,
      e.is_fee, iif(e.is_fee, fee_parent(e.reference, ${textOf("narration")}), NULL) AS fee_of,
      ${isoOf("e.seen_at")} AS seen_at, ${raw} AS raw
      FROM (${chosen}) AS a CROSS JOIN entries AS e ON ${inSpan} ${join} WHERE ${visible};
    CREATE TEMP VIEW changes AS SELECT a.account, c.kind, c.reference, ${isoOf("c.seen_at")} AS seen_at, c.old, c.new
      FROM main.changes AS c JOIN (${chosen}) AS a ON a.number = c.account
      ${at === undefined ? "" : `WHERE c.seen_at <= ${at}`} ORDER BY c.number;
    CREATE TEMP VIEW acceptances AS SELECT account, reference, day, side, gap, evidence, accepted_by, accepted_at, lapsed_at
      FROM (SELECT 1 AS part, k.number, a.account, e.reference, e.day, k.side, k.gap, k.evidence, k.accepted_by,
        ${isoOf("k.accepted_at")} AS accepted_at, ${isoOf(lapsedAt(at))} AS lapsed_at
        FROM (${chosen}) AS a JOIN entries AS e ON ${inSpan} JOIN main.acceptances AS k ON k.entry = e.number
        ${acceptedBy}
        UNION ALL SELECT 2, k.number, a.account, NULL, ${lastDayThen}, 'closed', NULL, k.evidence, k.accepted_by,
        ${isoOf("k.accepted_at")}, ${isoOf(lapsedAt(at))}
        FROM (${chosen}) AS a JOIN main.closures AS k ON k.account = a.number ${acceptedBy})
      ORDER BY part, number;
    ${Object.entries(filledViews)
      .map(([name, columns]) => `CREATE TEMP TABLE ${name} (${columns.join(", ")});`)
      .join("\n")}`;
}

/** A field as text, with the digits of a number; null where the row has none, or an empty one. */
function textOf(name: string): string {
  const path = `'$.${name}'`;
  return `CASE json_type(e.raw, ${path}) WHEN 'text' THEN nullif(e.raw ->> ${path}, '')
    WHEN 'integer' THEN row_text(e.raw, '${name}') WHEN 'real' THEN row_text(e.raw, '${name}') END`;
}

/** An acceptance that lapsed later had not lapsed at that time. */
function lapsedAt(at: number | undefined): string {
  return at === undefined ? "k.lapsed_at" : `iif(k.lapsed_at <= ${at}, k.lapsed_at, NULL)`;
}

/** Milliseconds since 1970 UTC as `2026-10-31T15:00:00.000Z`: such texts sort by time. */
function isoOf(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000, 'unixepoch') || printf('.%03dZ', ${column} % 1000)`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
