import type { DatabaseSync } from "node:sqlite";

/** SQLite, as built into Node. Its calls are synchronous. */
export interface Sqlite {
  /**
   * Opens the database at `path`. `create` creates a missing file, for this user alone; `existing` never does, so that
   * a file that has just vanished is an error, not a new database.
   */
  open(path: string, use: "create" | "existing"): DatabaseSync;
  /** Opens the database at `path` with its log, if there is one; closing it leaves both as they are. */
  openToRead(path: string): DatabaseSync;
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
  /**
   * Resolves when everything written before is on the disk, without blocking the process.
   * @throws {DatabaseAway} where it is, in a file that others cannot open at its path
   */
  sync(): Promise<void>;
  isEmpty(): boolean;
  /**
   * Writes its content again, and syncs it: after a failed sync, a later sync may skip what the failed one should have
   * written. A transaction has to keep others from writing meanwhile.
   */
  renew(): void;
  close(): void;
}

/** The files of an open database are not at their paths any more: others would not see what is written to them. */
export class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
}
