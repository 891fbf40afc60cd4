import type { DatabaseSync } from "node:sqlite";

/** SQLite, which comes with Node. Its calls are synchronous: each has happened when it returns. */
export interface Sqlite {
  /**
   * Opens the database at `path`. `create` makes an empty file, for this user alone, where there is none; `existing`
   * never makes one, so that a file which has just vanished is an error, not a new database.
   */
  open(path: string, use: "create" | "existing"): DatabaseSync;
  /**
   * Opens the database at `path` for reading, without any lock: rows may be from different moments, and may include
   * uncommitted changes of a process that ended.
   */
  openUnlocked(path: string): DatabaseSync;
  /** A database in memory. */
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
