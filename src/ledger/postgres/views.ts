import { accountsAt, balanceThen, formerJoin, rowThen, visibleAt } from "./visible.ts";

/** Settings of a transaction that say what the views show; default: everything, as it is now. */
export const viewSettings = { asOf: "partner.as_of", scope: "partner.scope" } as const;

/** The schema that holds the views and nothing else. */
export const viewSchema = "partner_ledger";

const asOf = `nullif(current_setting('${viewSettings.asOf}', true), '')::bigint`;
const wanted = `nullif(current_setting('${viewSettings.scope}', true), '')`;
const accounts = `(SELECT * FROM (${accountsAt(asOf)}) AS known WHERE ${wanted} IS NULL OR known.scope = ${wanted})`;
const entries = `${accounts} AS a JOIN partner.ledger_entries AS e ON e.account = a.number ${formerJoin(asOf)}
    WHERE ${visibleAt(asOf)}`;

/** Milliseconds since 1970 as SQLite's ledger shows them, `2026-10-31T15:00:00.000Z`; orders and events in local time. */
const utc = (ms: string) => `to_char(to_timestamp(${ms} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const local = (ms: string) =>
  `to_char(to_timestamp(floor(${ms} / 1000.0)) AT TIME ZONE 'UTC' + interval '3 hours', 'YYYY-MM-DD"T"HH24:MI:SS"+03:00"')`;
/** An amount in smallest units; null where it is not whole, or too large. */
const minor = (amount: string) =>
  `CASE WHEN ${amount} * power(10::numeric, a.digits) = trunc(${amount} * power(10::numeric, a.digits))
      AND abs(${amount} * power(10::numeric, a.digits)) < 9223372036854775808
    THEN trunc(${amount} * power(10::numeric, a.digits))::bigint END`;
/** The field of an order's request, by its kind. */
const field = (names: Readonly<Record<string, string>>) =>
  `CASE m.kind ${Object.entries(names)
    .map(([kind, name]) => `WHEN '${kind}' THEN partner_ledger.word(m.request, '${name}')`)
    .join(" ")} END`;
const country = (channel: string) => `CASE left(${channel}, 2) WHEN 'TZ' THEN 'TZS' WHEN 'KE' THEN 'KES' END`;
const eventWord = (...path: readonly string[]) =>
  `nullif(partner_ledger.word(partner_ledger.text_of(v.body), ${path.map((name) => `'${name}'`).join(", ")}), '')`;
/** An event has an amount on one side and a zero on the other. */
const eventAmount = (name: string) =>
  `CASE WHEN ${eventWord("transaction", name)} ~ '^-?0*[.]?0*$' THEN NULL ELSE ${eventWord("transaction", name)} END`;

/** The day of the nearest row before or after that has one. */
const neighbour = (order: "<" | ">") => `(SELECT p.day FROM partner.ledger_entries AS p WHERE p.account = e.account
      AND p.number ${order} e.number AND p.day <> '' AND ${visibleAt(asOf).replaceAll("e.", "p.")}
      ORDER BY p.number ${order === "<" ? "DESC" : ""} LIMIT 1)`;
const countedDay = `CASE WHEN e.day <> '' THEN e.day
    ELSE coalesce(${neighbour("<")}, ${neighbour(">")}, a.first_day, '') END`;

/**
 * People's acceptances of breaks, and days in which a row without a value date counts with the row before: see
 * `daylessRows`.
 */
export const laterViews = `CREATE OR REPLACE VIEW partner_ledger.acceptances WITH (security_invoker = true) AS
  SELECT a.account, e.reference, e.day, k.side, k.gap, k.evidence, k.accepted_by, ${utc("k.accepted_at")} AS accepted_at,
    CASE WHEN ${asOf} IS NULL OR k.lapsed_at <= ${asOf} THEN ${utc("k.lapsed_at")} END AS lapsed_at
  FROM partner.ledger_acceptances AS k JOIN partner.ledger_entries AS e ON e.number = k.entry
    JOIN ${accounts} AS a ON a.number = e.account
  WHERE ${asOf} IS NULL OR k.accepted_at <= ${asOf} ORDER BY k.number;

CREATE OR REPLACE VIEW partner_ledger.days WITH (security_invoker = true) AS
  SELECT one.account, one.day,
    (array_agg(one.balance - coalesce(one.change, 0) ORDER BY one.number))[1] AS opening,
    coalesce(sum(one.change) FILTER (WHERE one.change >= 0), 0) AS credits,
    coalesce(-sum(one.change) FILTER (WHERE one.change < 0), 0) AS debits,
    coalesce(-sum(one.change) FILTER (WHERE one.is_fee), 0) AS fees,
    (array_agg(one.balance ORDER BY one.number DESC))[1] AS closing
  FROM (SELECT a.number AS owner, a.account, ${countedDay} AS day, e.number, e.change, ${balanceThen} AS balance, e.is_fee
    FROM ${entries}) AS one GROUP BY one.owner, one.account, one.day ORDER BY one.owner, one.day;`;

const lapsed = `CASE WHEN ${asOf} IS NULL OR k.lapsed_at <= ${asOf} THEN ${utc("k.lapsed_at")} END AS lapsed_at`;

/** To which day the ledger held an account when it was accepted that it was closed: later syncs may have read more. */
const lastDayThen = `coalesce((SELECT s.last_day FROM partner.ledger_syncs AS s
      WHERE s.account = k.account AND s.synced_at <= k.accepted_at ORDER BY s.synced_at DESC LIMIT 1), a.last_day)`;

/** People's acceptances of breaks, then those of closed accounts. */
export const closureView = `CREATE OR REPLACE VIEW partner_ledger.acceptances WITH (security_invoker = true) AS
  SELECT known.account, known.reference, known.day, known.side, known.gap, known.evidence, known.accepted_by,
    known.accepted_at, known.lapsed_at
  FROM (SELECT 1 AS part, k.number, a.account, e.reference, e.day, k.side, k.gap, k.evidence, k.accepted_by,
      ${utc("k.accepted_at")} AS accepted_at, ${lapsed}
    FROM partner.ledger_acceptances AS k JOIN partner.ledger_entries AS e ON e.number = k.entry
      JOIN ${accounts} AS a ON a.number = e.account WHERE ${asOf} IS NULL OR k.accepted_at <= ${asOf}
    UNION ALL SELECT 2, k.number, a.account, NULL, ${lastDayThen}, 'closed', NULL, k.evidence, k.accepted_by,
      ${utc("k.accepted_at")}, ${lapsed}
    FROM partner.ledger_closures AS k JOIN ${accounts} AS a ON a.number = k.account
    WHERE ${asOf} IS NULL OR k.accepted_at <= ${asOf}) AS known
  ORDER BY known.part, known.number;`;

const dayAmount = (sql: string) => `round(${sql}, greatest(one.digits, min_scale(${sql})))`;
const text = (column: string) => `nullif(e.${column}, '')`;

const signedWord = (...path: readonly string[]) =>
  `nullif(partner_ledger.word(v.payload, ${path.map((name) => `'${name}'`).join(", ")}), '')`;
const signedAmount = (name: string) =>
  `CASE WHEN ${signedWord("transaction", name)} !~ '^-?0*[.]?0*$' THEN ${signedWord("transaction", name)} END`;

/** An event is within the document that was signed. Texts that rows lack are null, and amounts of days have at least the digits of their currency, as in SQLite's ledger. */
export const alikeViews = `CREATE OR REPLACE VIEW partner_ledger.rows WITH (security_invoker = true) AS
  SELECT a.profile, a.account, e.day, ${text("time")} AS time, e.reference, ${text("narration")} AS narration,
    ${text("counterparty")} AS counterparty, ${text("payment_reference")} AS payment_reference,
    CASE e.side WHEN 1 THEN 'credit' WHEN -1 THEN 'debit' END AS side,
    abs(e.change) AS amount, ${minor("abs(e.change)")} AS amount_minor,
    ${balanceThen} AS balance, ${minor(`(${balanceThen})`)} AS balance_minor,
    e.is_fee, CASE WHEN e.is_fee THEN e.fee_of END AS fee_of, ${utc("e.seen_at")} AS seen_at,
    ${rowThen} AS raw
  FROM ${entries} ORDER BY e.number;

CREATE OR REPLACE VIEW partner_ledger.days WITH (security_invoker = true) AS
  SELECT one.account, one.day, ${["opening", "credits", "debits", "fees", "closing"]
    .map((name) => `${dayAmount(`one.${name}`)} AS ${name}`)
    .join(", ")}
  FROM (SELECT each.owner, each.account, each.day, each.digits,
      (array_agg(each.balance - coalesce(each.change, 0) ORDER BY each.number))[1] AS opening,
      coalesce(sum(each.change) FILTER (WHERE each.change >= 0), 0) AS credits,
      coalesce(-sum(each.change) FILTER (WHERE each.change < 0), 0) AS debits,
      coalesce(-sum(each.change) FILTER (WHERE each.is_fee), 0) AS fees,
      (array_agg(each.balance ORDER BY each.number DESC))[1] AS closing
    FROM (SELECT a.number AS owner, a.account, a.digits, ${countedDay} AS day, e.number, e.change,
        ${balanceThen} AS balance, e.is_fee FROM ${entries}) AS each
    GROUP BY each.owner, each.account, each.day, each.digits) AS one ORDER BY one.owner, one.day;

CREATE OR REPLACE VIEW partner_ledger.events WITH (security_invoker = true) AS
  SELECT v.id, ${local("v.received_at")} AS received_at, v.state, ${signedWord("account", "accountNo")} AS account,
    ${signedAmount("amountCredit")} AS credit, ${signedAmount("amountDebit")} AS debit,
    ${signedWord("transaction", "currency")} AS currency, ${signedWord("transaction", "reference")} AS reference,
    coalesce(${["name", "accountName", "accountNo"].map((name) => signedWord("counterparty", name)).join(", ")}) AS payer,
    v.payload
  FROM (SELECT e.number, e.id, e.received_at, e.state,
    partner_ledger.word(partner_ledger.text_of(e.body), 'payload') AS payload FROM partner.inbox_events AS e) AS v
  ORDER BY v.number;`;

/**
 * The views, with the names and columns of SQLite's ledger. Fields of a text that isn't JSON, or not UTF-8, are null.
 * The schema may be left over from a dropped journal.
 */
export const ledgerViews = `CREATE SCHEMA IF NOT EXISTS ${viewSchema};

CREATE OR REPLACE FUNCTION partner_ledger.word(document text, VARIADIC path text[]) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN document::json #>> path;
EXCEPTION WHEN others THEN
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION partner_ledger.text_of(body bytea) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN convert_from(body, 'UTF8');
EXCEPTION WHEN others THEN
  RETURN NULL;
END $$;

CREATE OR REPLACE VIEW partner_ledger.accounts WITH (security_invoker = true) AS
  SELECT a.profile, a.account, a.kind, a.name, a.currency, a.first_day, a.last_day, (SELECT ${balanceThen}
      FROM partner.ledger_entries AS e ${formerJoin(asOf)} WHERE e.account = a.number AND ${visibleAt(asOf)}
      ORDER BY e.number DESC LIMIT 1) AS closing
  FROM ${accounts} AS a ORDER BY a.number;

CREATE OR REPLACE VIEW partner_ledger.rows WITH (security_invoker = true) AS
  SELECT a.profile, a.account, e.day, e.time, e.reference, e.narration, nullif(e.counterparty, '') AS counterparty,
    nullif(e.payment_reference, '') AS payment_reference,
    CASE e.side WHEN 1 THEN 'credit' WHEN -1 THEN 'debit' END AS side,
    abs(e.change) AS amount, ${minor("abs(e.change)")} AS amount_minor,
    ${balanceThen} AS balance, ${minor(`(${balanceThen})`)} AS balance_minor,
    e.is_fee, CASE WHEN e.is_fee THEN e.fee_of END AS fee_of, ${utc("e.seen_at")} AS seen_at,
    ${rowThen} AS raw
  FROM ${entries} ORDER BY e.number;

CREATE OR REPLACE VIEW partner_ledger.days WITH (security_invoker = true) AS
  SELECT a.account, e.day,
    (array_agg((${balanceThen}) - coalesce(e.change, 0) ORDER BY e.number))[1] AS opening,
    coalesce(sum(e.change) FILTER (WHERE e.change >= 0), 0) AS credits,
    coalesce(-sum(e.change) FILTER (WHERE e.change < 0), 0) AS debits,
    coalesce(-sum(e.change) FILTER (WHERE e.is_fee), 0) AS fees,
    (array_agg(${balanceThen} ORDER BY e.number DESC))[1] AS closing
  FROM ${entries} GROUP BY a.number, a.account, e.day ORDER BY a.number, e.day;

CREATE OR REPLACE VIEW partner_ledger.changes WITH (security_invoker = true) AS
  SELECT a.account, c.kind, c.reference, ${utc("c.seen_at")} AS seen_at, c.old, c.new
  FROM partner.ledger_changes AS c JOIN ${accounts} AS a ON a.number = c.account
  WHERE ${asOf} IS NULL OR c.seen_at <= ${asOf} ORDER BY c.number;

CREATE OR REPLACE VIEW partner_ledger.orders WITH (security_invoker = true) AS
  SELECT m.profile, m.id, m.kind, m.state, m.reference,
    ${field({ transfer: "amount", withdraw: "amount", collect: "amount", payout: "amount", remit: "receiverAmount" })} AS amount,
    coalesce(${field({ payout: "currencyCode", remit: "receiverCurrency" })}, ${country(field({ collect: "channel" }))},
      (SELECT w.currency FROM partner.ledger_accounts AS w WHERE w.scope = m.scope AND w.kind = 'wallet'
        AND w.currency <> '' AND w.account = ${field({ transfer: "from", withdraw: "accountNo", payout: "accountNo" })})) AS currency,
    ${field({ transfer: "from", withdraw: "accountNo", collect: "msisdn", payout: "accountNo" })} AS payer,
    ${field({ transfer: "to", payout: "msisdn", remit: "receiverAccount" })} AS receiver,
    ${local("m.opened_at")} AS opened_at, ${local("m.settled_at")} AS settled_at, m.evidence, m.transaction_id,
    m.request, m.response
  FROM partner.movements AS m WHERE ${wanted} IS NULL OR m.scope = ${wanted} ORDER BY m.number;

CREATE OR REPLACE VIEW partner_ledger.events WITH (security_invoker = true) AS
  SELECT v.id, ${local("v.received_at")} AS received_at, v.state, ${eventWord("account", "accountNo")} AS account,
    ${eventAmount("amountCredit")} AS credit, ${eventAmount("amountDebit")} AS debit,
    ${eventWord("transaction", "currency")} AS currency, ${eventWord("transaction", "reference")} AS reference,
    coalesce(${["name", "accountName", "accountNo"].map((name) => eventWord("counterparty", name)).join(", ")}) AS payer,
    partner_ledger.text_of(v.body) AS payload
  FROM partner.inbox_events AS v ORDER BY v.number;`;
