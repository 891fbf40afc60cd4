import type { SharedLayout } from "../../storage/postgres/layout.ts";
import { alikeViews, closureView, laterViews, ledgerViews } from "./views.ts";

/**
 * The ledger that several hosts share. Its tables hold what those of SQLite hold. Amounts are exact decimals. Texts
 * that statements read have columns of their own, since PostgreSQL can't read JSON with a NUL in it. Rows of days
 * before the last one in `ledger_redaction` have no personal data any more. `ledger_turn` is locked while a sync runs,
 * and `ledger_holder` names the sync whose writes count. `terms` is what a row can be found by (`terms/term.ts`); null
 * in rows that an earlier version stored.
 */
export const ledgerLayout: SharedLayout = {
  noun: "ledger",
  migrations: [
    `CREATE TABLE partner.ledger_turn (sole boolean PRIMARY KEY CHECK (sole));
INSERT INTO partner.ledger_turn VALUES (true);

CREATE TABLE partner.ledger_holder (sole boolean PRIMARY KEY CHECK (sole), holder text NOT NULL, last_write text NOT NULL);
INSERT INTO partner.ledger_holder VALUES (true, '', '');

CREATE TABLE partner.ledger_accounts (
  number bigint PRIMARY KEY CHECK (number BETWEEN 1 AND 2047),
  scope text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('wallet', 'merchant')),
  account text NOT NULL,
  profile text,
  name text NOT NULL,
  currency text NOT NULL,
  digits integer NOT NULL,
  newest_first integer NOT NULL,
  first_day text,
  last_day text,
  live text,
  is_reached integer NOT NULL,
  synced_at bigint,
  open_day text,
  unsettled_day text,
  UNIQUE (scope, kind, account)
);

CREATE TABLE partner.ledger_entries (
  number bigint PRIMARY KEY,
  account bigint NOT NULL REFERENCES partner.ledger_accounts (number),
  day text COLLATE "C" NOT NULL,
  time text NOT NULL,
  reference text NOT NULL,
  narration text NOT NULL,
  counterparty text NOT NULL,
  payment_reference text NOT NULL,
  side integer NOT NULL CHECK (side IN (-1, 0, 1)),
  change numeric,
  balance numeric,
  is_fee boolean NOT NULL,
  fee_of text NOT NULL,
  seen_at bigint NOT NULL,
  gone_at bigint,
  raw text NOT NULL
);
CREATE INDEX ledger_entries_day ON partner.ledger_entries (account, day);
CREATE INDEX ledger_entries_reference ON partner.ledger_entries (reference);

CREATE TABLE partner.ledger_former (
  entry bigint NOT NULL REFERENCES partner.ledger_entries (number) ON UPDATE CASCADE,
  until bigint NOT NULL,
  raw text NOT NULL,
  balance numeric,
  PRIMARY KEY (entry, until)
);

CREATE TABLE partner.ledger_changes (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  account bigint NOT NULL REFERENCES partner.ledger_accounts (number),
  kind text NOT NULL CHECK (kind IN ('late', 'changed', 'vanished')),
  reference text NOT NULL,
  day text NOT NULL,
  seen_at bigint NOT NULL,
  old text,
  new text
);

CREATE TABLE partner.ledger_syncs (
  account bigint NOT NULL REFERENCES partner.ledger_accounts (number),
  synced_at bigint NOT NULL,
  first_day text,
  last_day text,
  live text,
  is_reached integer NOT NULL,
  PRIMARY KEY (account, synced_at)
);

CREATE TABLE partner.ledger_accepted (
  entry bigint NOT NULL REFERENCES partner.ledger_entries (number) ON UPDATE CASCADE,
  side text NOT NULL CHECK (side IN ('before', 'after')),
  gap text NOT NULL,
  evidence text NOT NULL,
  accepted_by text NOT NULL,
  accepted_at bigint NOT NULL,
  PRIMARY KEY (entry, side)
);`,
    ledgerViews,
    "CREATE TABLE partner.ledger_redaction (before_day text PRIMARY KEY);",
    `ALTER TABLE partner.ledger_entries ADD COLUMN terms integer[];
CREATE INDEX ledger_entries_terms ON partner.ledger_entries USING gin (terms);
CREATE INDEX ledger_entries_without_terms ON partner.ledger_entries (account, number) WHERE terms IS NULL;`,
    `CREATE TABLE partner.ledger_acceptances (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  entry bigint NOT NULL REFERENCES partner.ledger_entries (number) ON UPDATE CASCADE,
  side text NOT NULL CHECK (side IN ('before', 'after')),
  gap text NOT NULL,
  evidence text NOT NULL,
  accepted_by text NOT NULL,
  accepted_at bigint NOT NULL,
  lapsed_at bigint
);
INSERT INTO partner.ledger_acceptances (entry, side, gap, evidence, accepted_by, accepted_at)
  SELECT entry, side, gap, evidence, accepted_by, accepted_at FROM partner.ledger_accepted
  ORDER BY accepted_at, entry, side;
DROP TABLE partner.ledger_accepted;
CREATE INDEX ledger_acceptances_of_entries ON partner.ledger_acceptances (entry);`,
    laterViews,
    `CREATE TABLE partner.ledger_closes (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  content text NOT NULL
);`,
    // Value dates with another time zone become days in Dar es Salaam.
    `UPDATE partner.ledger_entries
  SET day = to_char(replace(time, ' ', 'T')::timestamptz AT TIME ZONE INTERVAL '3 hours', 'YYYY-MM-DD')
  WHERE day <> '' AND time !~ '[+]03:?00$'
    AND time ~ '^[0-9-]{10}[T ]([01][0-9]|2[0-3])(:[0-5][0-9]){1,2}([.][0-9]+)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])$';`,
    alikeViews,
    `CREATE TABLE partner.ledger_closures (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  account bigint NOT NULL REFERENCES partner.ledger_accounts (number),
  evidence text NOT NULL,
  accepted_by text NOT NULL,
  accepted_at bigint NOT NULL,
  lapsed_at bigint
);
${closureView}`,
  ],
};
