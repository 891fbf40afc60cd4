import type { DatabaseLayout } from "../../storage/sqlite/layout.ts";

/** "ptnl". */
const applicationId = 0x70746e6c;

/**
 * Rows are stored as JSON texts with the service's own digits; searched values have columns of their own. An entry's
 * number encodes its account and its place among that account's rows (`places.ts`): a long history is written
 * sequentially, and needs no index. A deleted row keeps its place. `change_minor` and `balance_minor` are null where an
 * amount is not whole in smallest units. `day_ranges` has the first and last number of each day's rows, and how many
 * were ever stored. `former` has the balances of rows before another row was inserted before them, as known up to
 * `until`. An account has an `open_day` where rows are missing since then, and an `unsettled_day` while a sync of those
 * days is under way, or was interrupted. `syncs` has the state of accounts at the end of each sync.
 *
 * `term_pieces` and `terms` are the index of `find` (`terms/term.ts`), written with the rows: `numbers` are the rows of
 * a piece, and `postings` the rows of each term. The number of `terms` is that of its piece times 2²⁸, plus its first
 * term. Entries of moved or deleted rows stay in the index: each row found is checked. Rows of an account from
 * `unindexed_from` on may be missing.
 *
 * `acceptances` keeps every acceptance of a break; the newest one of a row counts. An acceptance after the last row has
 * `lapsed_at` once a sync has reached the service's balance without it.
 *
 * `closures` keeps every acceptance that an account was closed; it has `lapsed_at` once the service had the account again.
 *
 * Rows of days before `redacted_before` have no personal data any more.
 */
export const ledgerLayout: DatabaseLayout = {
  noun: "ledger",
  applicationId,
  migrations: [
    `CREATE TABLE ledger (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE accounts (
      number INTEGER PRIMARY KEY,
      scope TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('wallet', 'merchant')),
      account TEXT NOT NULL,
      profile TEXT,
      name TEXT NOT NULL,
      currency TEXT NOT NULL,
      digits INTEGER NOT NULL,
      newest_first INTEGER NOT NULL,
      first_day TEXT,
      last_day TEXT,
      live TEXT,
      is_reached INTEGER NOT NULL,
      synced_at INTEGER,
      open_day TEXT,
      unsettled_day TEXT,
      UNIQUE (scope, kind, account)
    ) STRICT;

    CREATE TABLE entries (
      number INTEGER PRIMARY KEY,
      day TEXT NOT NULL,
      reference TEXT NOT NULL,
      side INTEGER NOT NULL CHECK (side IN (-1, 0, 1)),
      change_minor INTEGER,
      balance_minor INTEGER,
      is_fee INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      gone_at INTEGER,
      raw TEXT NOT NULL
    ) STRICT;

    CREATE TABLE day_ranges (
      account INTEGER NOT NULL REFERENCES accounts (number),
      day TEXT NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      rows INTEGER NOT NULL,
      PRIMARY KEY (account, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE former (
      entry INTEGER NOT NULL REFERENCES entries (number),
      until INTEGER NOT NULL,
      balances TEXT NOT NULL,
      balance_minor INTEGER,
      PRIMARY KEY (entry, until)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE changes (
      number INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (number),
      kind TEXT NOT NULL CHECK (kind IN ('late', 'changed', 'vanished')),
      reference TEXT NOT NULL,
      day TEXT NOT NULL,
      seen_at INTEGER NOT NULL,
      old TEXT,
      new TEXT
    ) STRICT;

    CREATE TABLE syncs (
      account INTEGER NOT NULL REFERENCES accounts (number),
      synced_at INTEGER NOT NULL,
      first_day TEXT,
      last_day TEXT,
      live TEXT,
      is_reached INTEGER NOT NULL,
      PRIMARY KEY (account, synced_at)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE accepted (
      entry INTEGER NOT NULL REFERENCES entries (number),
      side TEXT NOT NULL CHECK (side IN ('before', 'after')),
      gap TEXT NOT NULL,
      evidence TEXT NOT NULL,
      accepted_by TEXT NOT NULL,
      accepted_at INTEGER NOT NULL,
      PRIMARY KEY (entry, side)
    ) STRICT, WITHOUT ROWID;`,
    `CREATE TABLE term_pieces (
      number INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (number),
      rows INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      numbers BLOB NOT NULL
    ) STRICT;
    CREATE INDEX pieces_of_accounts ON term_pieces (account);
    CREATE TABLE terms (number INTEGER PRIMARY KEY, postings BLOB NOT NULL) STRICT;
    ALTER TABLE accounts ADD COLUMN unindexed_from INTEGER;
    UPDATE accounts SET unindexed_from = 0;`,
    "ALTER TABLE ledger ADD COLUMN redacted_before TEXT;",
    `CREATE TABLE acceptances (
      number INTEGER PRIMARY KEY,
      entry INTEGER NOT NULL REFERENCES entries (number),
      side TEXT NOT NULL CHECK (side IN ('before', 'after')),
      gap TEXT NOT NULL,
      evidence TEXT NOT NULL,
      accepted_by TEXT NOT NULL,
      accepted_at INTEGER NOT NULL,
      lapsed_at INTEGER
    ) STRICT;
    INSERT INTO acceptances (entry, side, gap, evidence, accepted_by, accepted_at)
      SELECT entry, side, gap, evidence, accepted_by, accepted_at FROM accepted ORDER BY accepted_at, entry, side;
    DROP TABLE accepted;
    CREATE INDEX acceptances_of_entries ON acceptances (entry);`,
    // Version 5: value dates with another time zone become days in Dar es Salaam (`redate`).
    "",
    `CREATE TABLE closures (
      number INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (number),
      evidence TEXT NOT NULL,
      accepted_by TEXT NOT NULL,
      accepted_at INTEGER NOT NULL,
      lapsed_at INTEGER
    ) STRICT;`,
  ],
};
/** The first version in which every day is a day in Dar es Salaam. */
export const redatedVersion = 5;
