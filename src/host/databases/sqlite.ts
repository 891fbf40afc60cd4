import type { DatabaseSync } from "node:sqlite";

/** SQLite, which comes with Node. Its calls are synchronous: each has happened when it returns. */
export interface Sqlite {
  /**
   * Opens the database at `path`. `create` makes an empty file, for this user alone, where none stands; `existing`
   * never makes one, so that a file which has just vanished is an error and no new database.
   */
  open(path: string, use: "create" | "existing"): DatabaseSync;
  /**
   * Opens the database at `path` for reading, and never locks anybody out: what is read may be of different moments, and
   * what another process had not committed when it ended may be among it.
   */
  openUnlocked(path: string): DatabaseSync;
  /** A database that is gone when it is closed. */
  openInMemory(): DatabaseSync;
  /** Opens the write-ahead log of the database at `path`, which is open and has one. */
  openLog(path: string): LogFile;
}

/** A write-ahead log, seen as a file. */
export interface LogFile {
  /** Resolves when all that was written to it before is on the disk; the process does other things meanwhile. */
  sync(): Promise<void>;
  close(): void;
}
