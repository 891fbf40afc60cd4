import { upgradedMeanwhile, writerVersion } from "../writers.ts";

/** In the file's header: "ptnr". No other program's database has it. */
export const applicationId = 0x70746e72;

// SQL that several versions have in common. It was released, so it never changes.

const journalTable = `CREATE TABLE journal (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;`;
const eventsTable = `CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    movement INTEGER NOT NULL REFERENCES movements (number),
    at INTEGER NOT NULL,
    step TEXT NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    request_id TEXT,
    evidence TEXT,
    note TEXT,
    replaced TEXT,
    who TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_movement ON events (movement);`;
const journalTriggers = `CREATE TRIGGER journal_stays BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'a journal keeps its id'); END;
  CREATE TRIGGER journal_is_kept BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'a journal keeps its id'); END;`;
const eventsAreKept = `CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'history is never forgotten'); END;`;
const movementsTriggers = `CREATE TRIGGER movements_stay BEFORE UPDATE OF number, id, key_hash, scope, kind, reference ON movements
    BEGIN SELECT RAISE(ABORT, 'an order stays the one that it is'); END;
  CREATE TRIGGER movements_are_kept BEFORE DELETE ON movements
    BEGIN SELECT RAISE(ABORT, 'an order is never forgotten'); END;`;
/** States, kinds and evidence are checked by whoever reads a row, so that a new word needs no new table. */
const movementsTable = `CREATE TABLE movements_next (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key_hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    reference TEXT NOT NULL,
    state TEXT NOT NULL,
    profile TEXT,
    request TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    response TEXT,
    evidence TEXT,
    note TEXT,
    request_ids TEXT NOT NULL,
    transaction_id TEXT,
    opened_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    settled_at INTEGER,
    who TEXT NOT NULL,
    batch TEXT,
    batch_row INTEGER,
    claim TEXT NOT NULL,
    owner TEXT NOT NULL,
    claim_ends_at INTEGER NOT NULL,
    seal TEXT NOT NULL,
    UNIQUE (reference, kind, scope)
  ) STRICT;`;
const movementsIndexes = `CREATE INDEX movements_open ON movements (state) WHERE settled_at IS NULL;
  CREATE INDEX movements_batch ON movements (batch, batch_row) WHERE batch IS NOT NULL;
  CREATE INDEX movements_opened ON movements (opened_at);
  CREATE INDEX movements_transaction ON movements (transaction_id) WHERE transaction_id IS NOT NULL;`;
const replaceMovements = `INSERT INTO movements_next SELECT number, id, key_hash, scope, kind, reference, state, profile, request, request_hash,
    response, evidence, note, request_ids, transaction_id, opened_at, changed_at, settled_at, who, batch, batch_row, claim,
    owner, claim_ends_at, seal FROM movements;
  DROP TABLE movements;
  ALTER TABLE movements_next RENAME TO movements;
  ${movementsIndexes}
  ${movementsTriggers}`;
const keyTables = `CREATE TABLE accounts (scope TEXT PRIMARY KEY) STRICT;

  CREATE TABLE order_keys (
    movement INTEGER PRIMARY KEY REFERENCES movements (number),
    like_key TEXT NOT NULL,
    near_key TEXT NOT NULL,
    standing TEXT NOT NULL,
    batch TEXT NOT NULL
  ) STRICT;
  CREATE INDEX order_keys_like ON order_keys (like_key, standing, batch, movement);
  CREATE INDEX order_keys_near ON order_keys (near_key, standing, movement);

  CREATE TABLE proofs (
    row_key TEXT PRIMARY KEY,
    movement INTEGER NOT NULL REFERENCES movements (number),
    row TEXT NOT NULL
  ) STRICT;
  CREATE INDEX proofs_movement ON proofs (movement);

  CREATE TABLE seen (
    row_key TEXT NOT NULL,
    reference TEXT NOT NULL,
    near_form TEXT NOT NULL,
    scope TEXT NOT NULL,
    account_no TEXT NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (row_key, reference)
  ) STRICT;
  CREATE INDEX seen_near ON seen (near_form);

  -- What left an account on a day, or may have: a running sum of what the orders themselves say.
  CREATE TABLE spendings (
    scope TEXT NOT NULL,
    day TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (scope, day, currency)
  ) STRICT, WITHOUT ROWID;`;
const proofsAreKept =
  "CREATE TRIGGER proofs_are_kept BEFORE DELETE ON proofs BEGIN SELECT RAISE(ABORT, 'a proof is kept'); END;";
const seenIsKept =
  "CREATE TRIGGER seen_is_kept BEFORE DELETE ON seen BEGIN SELECT RAISE(ABORT, 'what was seen is kept'); END;";
const redactionColumns = `ALTER TABLE events ADD COLUMN redacted_seal TEXT;
  ALTER TABLE events ADD COLUMN line_hash TEXT;`;
const archiveColumn = `ALTER TABLE events ADD COLUMN archived TEXT;
  CREATE INDEX events_archived ON events (movement) WHERE archived IS NOT NULL;`;
/** Not sealed: it says who may write, and nothing about the line. */
const writerColumn = "ALTER TABLE events ADD COLUMN writer INTEGER;";
const writersKnow = (version: number) => `CREATE TRIGGER events_writers_know BEFORE INSERT ON events
    WHEN NEW.writer IS NOT ${version}
    BEGIN SELECT RAISE(ABORT, '${upgradedMeanwhile}'); END;`;
const eventsStay = `CREATE TRIGGER events_stay BEFORE UPDATE ON events
    WHEN NEW.number <> OLD.number OR NEW.movement <> OLD.movement OR NEW.at <> OLD.at OR NEW.step <> OLD.step
      OR NEW.from_state IS NOT OLD.from_state OR NEW.to_state <> OLD.to_state OR NEW.seal <> OLD.seal
      OR OLD.archived IS NOT NULL
      OR CASE WHEN NEW.archived IS NULL
        THEN OLD.redacted_seal IS NOT NULL OR NEW.redacted_seal IS NULL OR NEW.line_hash IS NULL
          OR NEW.request_id IS NOT OLD.request_id OR NEW.evidence IS NOT OLD.evidence OR NEW.who <> OLD.who
        ELSE NEW.redacted_seal IS NOT OLD.redacted_seal OR NEW.line_hash IS NOT OLD.line_hash END
    BEGIN SELECT RAISE(ABORT, 'history is never changed'); END;`;
const proofsStay = `CREATE TRIGGER proofs_stay BEFORE UPDATE ON proofs
    WHEN NEW.row_key <> OLD.row_key OR NEW.movement <> OLD.movement OR NEW.row <> '{}'
      AND NOT EXISTS (SELECT 1 FROM events WHERE movement = OLD.movement AND line_hash IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'a proof stays what it is'); END;`;

/** The version whose history names every row that proves an order. */
export const namedVersion = 6;
/** The version in which separators in the number of a bank account no longer count. */
export const likesVersion = 8;

/** The version that refuses lines of programs that don't know keys and sums. */
export const writersVersion = 9;

/**
 * Personal data can be taken out of seen rows. A reference stays, unless it is a word without a digit, such as a name.
 */
const seenStays = `CREATE TRIGGER seen_stays BEFORE UPDATE ON seen
    WHEN NEW.row_key <> OLD.row_key OR NEW.scope <> OLD.scope OR NEW.account_no <> OLD.account_no
      OR instr(NEW.row, 'redacted-') = 0
      OR (NEW.reference <> OLD.reference OR NEW.near_form <> OLD.near_form)
        AND (OLD.reference GLOB '*[0-9]*' OR NEW.reference NOT LIKE 'redacted-%' OR NEW.near_form <> NEW.reference)
    BEGIN SELECT RAISE(ABORT, 'what was seen stays'); END;`;

/** The tables of a new journal, as all migrations together make them. */
export const newJournal = [
  journalTable,
  movementsTable.replace("movements_next", "movements"),
  movementsIndexes,
  movementsTriggers,
  eventsTable,
  redactionColumns,
  archiveColumn,
  writerColumn,
  eventsStay,
  writersKnow(writerVersion),
  eventsAreKept,
  journalTriggers,
  keyTables,
  proofsStay,
  proofsAreKept,
  seenStays,
  seenIsKept,
].join("\n");

/**
 * Each entry brings a journal from the version of its place to the next one. What was released is never changed, or two
 * journals of one version would differ.
 *
 * An order is in two unique indexes that share no page, by its reference and by `key_hash`. Where damage hides it in
 * one of them, the other still refuses a second one. Triggers protect history from every writer.
 */
export const migrations: readonly string[] = [
  `${journalTable}
  CREATE TABLE movements (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key_hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('transfer', 'withdraw', 'collect', 'remit')),
    reference TEXT NOT NULL,
    state TEXT NOT NULL
      CHECK (state IN ('prepared', 'sending', 'accepted', 'pending', 'refused', 'unsent', 'unknown')),
    profile TEXT,
    request TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    response TEXT,
    evidence TEXT CHECK (evidence IN ('answer', 'callback', 'person', 'statement')),
    note TEXT,
    request_ids TEXT NOT NULL,
    transaction_id TEXT,
    opened_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    settled_at INTEGER,
    who TEXT NOT NULL,
    batch TEXT,
    batch_row INTEGER,
    claim TEXT NOT NULL,
    owner TEXT NOT NULL,
    claim_ends_at INTEGER NOT NULL,
    seal TEXT NOT NULL,
    UNIQUE (reference, kind, scope)
  ) STRICT;
  CREATE INDEX movements_open ON movements (state) WHERE settled_at IS NULL;
  CREATE INDEX movements_batch ON movements (batch, batch_row) WHERE batch IS NOT NULL;

  ${eventsTable}

  ${journalTriggers}
  ${movementsTriggers}
  CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'history is never changed'); END;
  ${eventsAreKept}`,
  // Version 2.
  `CREATE TABLE movements_next (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key_hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    reference TEXT NOT NULL,
    state TEXT NOT NULL,
    profile TEXT,
    request TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    response TEXT,
    evidence TEXT CHECK (evidence IN ('answer', 'callback', 'person', 'statement')),
    note TEXT,
    request_ids TEXT NOT NULL,
    transaction_id TEXT,
    opened_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    settled_at INTEGER,
    who TEXT NOT NULL,
    batch TEXT,
    batch_row INTEGER,
    claim TEXT NOT NULL,
    owner TEXT NOT NULL,
    claim_ends_at INTEGER NOT NULL,
    seal TEXT NOT NULL,
    UNIQUE (reference, kind, scope)
  ) STRICT;
  ${replaceMovements}
  ${keyTables}
  INSERT INTO accounts SELECT DISTINCT scope FROM movements;
  CREATE TRIGGER proofs_stay BEFORE UPDATE ON proofs BEGIN SELECT RAISE(ABORT, 'a proof stays what it is'); END;
  ${proofsAreKept}
  CREATE TRIGGER seen_stays BEFORE UPDATE ON seen BEGIN SELECT RAISE(ABORT, 'what was seen stays'); END;
  ${seenIsKept}`,
  // Version 3. The service can be asked for an order's status, which is a new kind of evidence.
  `${movementsTable}
  ${replaceMovements}`,
  // Version 4. Personal data can be taken out of history once, and never without keeping the hash that its line had.
  `${redactionColumns}
  DROP TRIGGER events_stay;
  CREATE TRIGGER events_stay BEFORE UPDATE ON events
    WHEN OLD.redacted_seal IS NOT NULL OR NEW.redacted_seal IS NULL OR NEW.line_hash IS NULL
      OR NEW.number <> OLD.number OR NEW.movement <> OLD.movement OR NEW.at <> OLD.at OR NEW.step <> OLD.step
      OR NEW.from_state IS NOT OLD.from_state OR NEW.to_state <> OLD.to_state OR NEW.request_id IS NOT OLD.request_id
      OR NEW.evidence IS NOT OLD.evidence OR NEW.who <> OLD.who OR NEW.seal <> OLD.seal
    BEGIN SELECT RAISE(ABORT, 'history is never changed'); END;
  DROP TRIGGER proofs_stay;
  CREATE TRIGGER proofs_stay BEFORE UPDATE ON proofs
    WHEN NEW.row_key <> OLD.row_key OR NEW.movement <> OLD.movement
      OR NOT EXISTS (SELECT 1 FROM events WHERE movement = OLD.movement AND line_hash IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'a proof stays what it is'); END;`,
  // Version 5. A line that went to an archive leaves its number, time, step, states, seal and hash in the chain.
  `${archiveColumn}
  DROP TRIGGER events_stay;
  ${eventsStay}
  DROP TRIGGER proofs_stay;
  ${proofsStay}`,
  // Version 6. History names the rows that prove orders; earlier rows get lines of their own.
  "SELECT 1",
  // Version 7. Personal data can be taken out of seen rows, too.
  `DROP TRIGGER seen_stays;
  ${seenStays}`,
  // Version 8. Orders to one bank account are alike, however its number is written.
  "SELECT 1",
  // Version 9. Runs of earlier versions may go on and don't know keys and sums: history refuses their lines.
  `${writerColumn}
  ${writersKnow(1)}`,
];
