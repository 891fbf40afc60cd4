import type { DatabaseLayout } from "../../storage/sqlite/layout.ts";

/** "ptni". */
const applicationId = 0x70746e69;

/**
 * A watch is a receiver's process; `shown` is the last of its events that it has shown. An event has a reader, the
 * watch that shows it, and a courier, the watch that delivers it if it is to be delivered. No watch has number 0.
 * `tries` counts the attempts since `wanted_at`, when delivery was last requested.
 */
export const inboxLayout: DatabaseLayout = {
  noun: "inbox",
  applicationId,
  migrations: [
    `CREATE TABLE watches (
      number INTEGER PRIMARY KEY CHECK (number > 0),
      mark TEXT NOT NULL,
      shown INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE events (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('new', 'delivered', 'failed', 'quarantined')),
      received_at INTEGER NOT NULL,
      request_id TEXT,
      timestamp TEXT,
      body BLOB NOT NULL,
      attempts INTEGER NOT NULL,
      due_at INTEGER,
      wanted_at INTEGER,
      tries INTEGER NOT NULL,
      problem TEXT,
      reader INTEGER NOT NULL,
      courier INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_due ON events (courier, due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX events_odd ON events (state, number) WHERE state IN ('failed', 'quarantined');

    CREATE TABLE forged (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      received_at INTEGER NOT NULL,
      request_id TEXT,
      body BLOB NOT NULL,
      problem TEXT NOT NULL
    ) STRICT;`,
    // SHA-256 of the ids of pruned events. An event without a reader waits for the next watch.
    `CREATE TABLE pruned (hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE INDEX events_unread ON events (number) WHERE reader = 0;`,
  ],
};
