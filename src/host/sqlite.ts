import type { DatabaseSync } from "node:sqlite";

/** SQLite, which comes with Node. Its calls are synchronous: each has happened when it returns. */
export interface Sqlite {
  /**
   * Opens the database at `path`. `create` makes an empty file, for this user alone, where none stands; `existing` never
   * makes one, so that a file which has just vanished is an error and no new database.
   */
  open(path: string, use: "create" | "existing"): DatabaseSync;
  /** A database that is gone when it is closed. */
  openInMemory(): DatabaseSync;
}
