import { permissionErrors } from "../approvals/words.ts";
import { rowsStay } from "../chain/redact-sql.ts";
import { changedFunction } from "../roles/groups.ts";
import { readingFunction } from "./change-sql.ts";

/**
 * What a batch moves by kind, paying wallet and currency. A remittance counts with what its receiver gets and with what
 * its sender pays: with the larger one where both are in one currency, else with each in its own.
 */
export function movedPartsSql(batch: string): string {
  return `SELECT p.kind, p.account, p.currency, sum(p.amount) AS total, max(p.amount) AS largest, bool_and(p.is_sender) AS is_sender
    FROM (SELECT r.kind, coalesce(r.account, '') AS account, coalesce(r.currency, '') AS currency,
        coalesce(greatest(r.amount, CASE WHEN r.sender_currency = r.currency THEN r.sender_amount END), 0) AS amount,
        false AS is_sender FROM partner.batch_rows r WHERE r.batch = ${batch}
      UNION ALL SELECT r.kind, coalesce(r.account, ''), r.sender_currency, r.sender_amount, true
        FROM partner.batch_rows r WHERE r.batch = ${batch} AND r.sender_currency IS DISTINCT FROM r.currency
          AND r.sender_currency IS NOT NULL AND r.sender_amount IS NOT NULL) AS p GROUP BY 1, 2, 3`;
}

/**
 * Levels and limits also look at what senders of remittances pay, where they name its currency. A batch that was
 * submitted before lacks these amounts, and counts as it did. @param before all migrations so far
 */
export function sendersCount(before: readonly string[]): string {
  const changed = (name: string, ...changes: readonly (readonly [string | RegExp, string])[]) =>
    changedFunction(before, name, ...changes);
  return `ALTER TABLE partner.batch_rows ADD COLUMN IF NOT EXISTS sender_amount numeric CHECK (sender_amount >= 0), ADD COLUMN IF NOT EXISTS sender_currency text;
ALTER TABLE partner.batch_sums ADD COLUMN IF NOT EXISTS is_sender boolean NOT NULL DEFAULT false;
DROP TRIGGER IF EXISTS batch_rows_stay ON partner.batch_rows;
${rowsStay("amount", "currency", "account", "sender_amount", "sender_currency")}

${changed(
  "take_rows",
  ["account, receiver)", "account, receiver, sender_amount, sender_currency)"],
  [
    "partner.receiver_key(row ->> 7, row ->> 8) FROM",
    "partner.receiver_key(row ->> 7, row ->> 8), (row ->> 9)::numeric, row ->> 10 FROM",
  ],
  [
    /INSERT INTO partner\.batch_sums.*?GROUP BY 2, 3, 4;/s,
    `INSERT INTO partner.batch_sums (batch, kind, account, currency, total, largest, is_sender)
    SELECT NEW.id, m.* FROM (${movedPartsSql("NEW.id")}) AS m;`,
  ],
  [
    "bool_and(r.amount IS NOT NULL)",
    "bool_and(r.amount IS NOT NULL AND (r.kind <> 'remit' OR r.sender_amount IS NOT NULL))",
  ],
)}

DROP FUNCTION IF EXISTS partner.known_sums(text);
CREATE FUNCTION partner.known_sums(id text) RETURNS TABLE (kind text, account text, currency text, total numeric,
  largest numeric, is_sender boolean) LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  RETURN QUERY SELECT s.kind, s.account, c.currency, sum(sum(s.total)) OVER same, max(max(s.largest)) OVER same, bool_and(s.is_sender)
    FROM partner.batch_sums s JOIN partner.batches b ON b.id = s.batch, LATERAL (SELECT coalesce(nullif(s.currency, ''),
      (SELECT w.currency FROM partner.wallets w WHERE w.account_no = s.account
        ORDER BY w.scope = b.scope DESC, w.seen_at DESC LIMIT 1), 'TZS') AS currency) AS c
    WHERE s.batch = known_sums.id GROUP BY s.kind, s.account, c.currency WINDOW same AS (PARTITION BY c.currency);
END $$;

${changed("demand_of", [
  "FOR part IN SELECT * FROM partner.known_sums(id) LOOP",
  `FOR part IN SELECT * FROM partner.known_sums(id) LOOP
    CONTINUE WHEN part.is_sender AND NOT EXISTS (SELECT FROM json_array_elements(rules -> 'levels') AS x (l)
      WHERE x.l ->> 'currency' = part.currency AND coalesce(x.l ->> 'kind', part.kind) = part.kind
        AND coalesce(x.l ->> 'account', part.account) = part.account);`,
])}

${changed(
  "fault_beside",
  [
    "SELECT DISTINCT k.currency, k.total FROM partner.known_sums(id) AS k",
    "SELECT k.currency, max(k.total) AS total, bool_and(k.is_sender) AS is_sender FROM partner.known_sums(id) AS k GROUP BY 1",
  ],
  ["IF most IS NULL THEN RETURN", "CONTINUE WHEN most IS NULL AND part.is_sender;\n    IF most IS NULL THEN RETURN"],
)}

${changed("demand_approval", [
  "  IF NOT EXISTS (SELECT FROM partner.starts s WHERE s.batch = NEW.batch) THEN",
  `  IF EXISTS (SELECT FROM partner.batch_rows r WHERE r.batch = NEW.batch AND r.line = NEW.batch_row AND r.sender_amount IS NOT NULL
      AND r.sender_amount IS DISTINCT FROM (NEW.request::json ->> 'senderAmount')::numeric) THEN
    RAISE EXCEPTION 'this order is not the row of its batch' USING ERRCODE = '${permissionErrors.otherOrder}';
  END IF;
  IF NOT EXISTS (SELECT FROM partner.starts s WHERE s.batch = NEW.batch) THEN`,
])}`;
}
