import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { LogFile } from "../../host/databases/sqlite.ts";
import type { TransactionJob } from "../group-commit.ts";
import { GroupCommit } from "../group-commit.ts";
import { isLogSafe } from "./log-version.ts";
import { DamageError, storageCode, isBusy } from "../failures.ts";
import { renewLog } from "./log-renewal.ts";

/** How long to wait for other processes' locks. */
export const defaultBusyTimeoutMs = 10_000;
/**
 * SQLite waits longer and longer between attempts at a lock, up to 100 ms. Against others that commit without pause, a
 * process might never get its turn. Called again after this time, it tries every few milliseconds.
 */
const busyTurnMs = 25;
/** SQLITE_IOERR. */
const diskErrorCode = 10;

export type Parameters = Readonly<Record<string, SQLInputValue>>;

export interface DatabaseOptions {
  /** Turns SQLite's errors, and `DamageError`, into the caller's failures. */
  readonly explain: (error: unknown) => unknown;
  /** How long to wait for other processes' locks, blocking this process. */
  readonly busyTimeoutMs?: number | undefined;
  /** True to leave a database with a write-ahead log as it is. */
  readonly mayHaveLog?: boolean | undefined;
  /** A connection that can only read: it is closed last, which leaves the log as it is. */
  readonly keeper?: Pick<DatabaseSync, "close"> | undefined;
}

/** A SQLite database whose reported commits survive a power loss, and whose errors become the caller's failures. */
export class Database {
  readonly #database: DatabaseSync;
  readonly #explain: (error: unknown) => unknown;
  readonly #busyTimeoutMs: number;
  readonly #keeper: DatabaseOptions["keeper"];
  readonly #statements = new Map<string, StatementSync>();
  readonly #commits = new GroupCommit({
    commit: (jobs) => this.#transact(jobs),
    syncByItself: (isWanted) => this.execute(`PRAGMA synchronous = ${isWanted ? "FULL" : "NORMAL"}`),
    explain: (error) => this.#explain(error),
  });

  /**
   * Closes both connections where it can't be used.
   * @throws {Failure} setup | unavailable
   */
  constructor(database: DatabaseSync, options: DatabaseOptions) {
    const { explain, busyTimeoutMs = defaultBusyTimeoutMs, mayHaveLog = false, keeper } = options;
    this.#database = database;
    this.#explain = explain;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#keeper = keeper;
    try {
      this.attempt(() => this.#set(mayHaveLog));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Switches to a write-ahead log, which is synced while the process does other work: a commit waits for one sync
   * instead of five, and is reported only once it is durable. Where SQLite can't use a log safely, nothing changes.
   * @param open called when there is a log
   */
  useLog(open: () => LogFile): void {
    this.attempt(() => {
      if (!this.#mayHaveLog() || this.value("PRAGMA journal_mode = WAL") !== "wal") return;
      // A read keeps the log file from being removed.
      this.get("SELECT 1 FROM sqlite_schema");
      const log = this.#opened(open);
      renewLog(this.#database, log);
      this.#commits.useLog(log);
    });
  }

  /**
   * After a disk error SQLite can answer "wal" although it did not change the file and there is no log. The next write
   * reports the disk error, if it persists.
   */
  #opened(open: () => LogFile): LogFile {
    try {
      return open();
    } catch (error) {
      if (storageCode(error) !== "ENOENT") throw error;
      this.value("PRAGMA journal_mode = TRUNCATE");
      this.#database.exec(`PRAGMA user_version = ${Number(this.value("PRAGMA user_version"))}`);
      throw Object.assign(new Error("The log is missing", { cause: error }), { errcode: diskErrorCode });
    }
  }

  /** Resolves when every commit so far is on the disk: what was read survives a crash. */
  settled(): Promise<void> {
    return this.#commits.settled();
  }

  /**
   * Turns any error in `use` into a failure.
   * @throws {Failure} as `explain` returns it
   */
  attempt<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  get(sql: string, parameters: Parameters = {}): unknown {
    return this.#patiently(() => this.#prepare(sql).get(parameters));
  }

  /** The first column of the first row. */
  value(sql: string): unknown {
    const record = this.get(sql);
    return typeof record === "object" && record !== null ? Object.values(record)[0] : undefined;
  }

  all(sql: string, parameters: Parameters = {}): unknown[] {
    return this.#patiently(() => this.#prepare(sql).all(parameters));
  }

  /** @returns the number of changed rows */
  run(sql: string, parameters: Parameters = {}): number {
    return this.attempt(() => Number(this.#prepare(sql).run(parameters).changes));
  }

  /**
   * Begins a bulk change, which `endBulk` commits: it is on the disk with the next commit, or without a write-ahead
   * log, at once.
   */
  beginBulk(): void {
    this.#patiently(() => this.#database.exec("BEGIN IMMEDIATE"));
  }

  endBulk(): void {
    this.#patiently(() => this.#database.exec("COMMIT"));
  }

  /** Rolls back a bulk change. */
  dropBulk(): void {
    this.#rollBack();
  }

  /** A function that inserts rows fast, for commits of many rows. */
  inserter(sql: string): (values: readonly SQLInputValue[]) => void {
    const statement = this.attempt(() => this.#prepare(sql));
    return (values) => void statement.run(...values);
  }

  execute(sql: string): void {
    this.#patiently(() => this.#database.exec(sql));
  }

  /**
   * Runs the work in a transaction with all other jobs of this turn of the event loop, and commits.
   * @param patienceMs how long to wait for other processes' locks; among several jobs, the longest counts
   */
  commit<T>(work: () => T, patienceMs?: number): Promise<T> {
    return this.#enqueue(work, { isSingle: false, patienceMs });
  }

  /**
   * The same for a single statement, for thousands of calls a second.
   * @returns the id of the last inserted row; undefined where nothing changed
   */
  commitStatement(sql: string, parameters: readonly SQLInputValue[]): Promise<number | undefined> {
    return this.#enqueue(
      () => {
        const { changes, lastInsertRowid } = this.#prepare(sql).run(...parameters);
        return Number(changes) === 0 ? undefined : Number(lastInsertRowid);
      },
      { isSingle: true },
    );
  }

  /** The same at once, with all waiting jobs; on the disk on return. */
  commitNow<T>(work: () => T): T {
    const results: (() => T)[] = [];
    const errors: unknown[] = [];
    this.#commits.addNow({
      work: () => reporting(work, (value) => results.push(() => value)),
      failed: (error) => errors.push(error),
      isSingle: false,
    });
    const [result] = results;
    if (result === undefined) throw errors[0];
    return result();
  }

  close(): void {
    this.#commits.close();
    this.#statements.clear();
    if (!this.#database.isOpen) return;
    this.#database.close();
    this.#keeper?.close();
  }

  /**
   * TRUNCATE with FULL survives a power loss: DELETE may lose the last commit, since the removal of the rollback
   * journal isn't synced. macOS only syncs fully on request (`fullfsync`).
   */
  #set(mayHaveLog: boolean): void {
    this.execute(`
      PRAGMA busy_timeout = ${busyTurnMs};
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA temp_store = MEMORY;
    `);
    if (mayHaveLog && this.#mayHaveLog() && this.value("PRAGMA journal_mode") === "wal") return;
    const mode = this.value("PRAGMA journal_mode = TRUNCATE");
    if (mode !== "truncate" && mode !== "memory") throw new DamageError("its rollback journal is of another kind");
  }

  #mayHaveLog(): boolean {
    return isLogSafe(String(this.value("SELECT sqlite_version()")));
  }

  #enqueue<T>(work: () => T, how: Pick<TransactionJob, "isSingle" | "patienceMs">): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#commits.add({ work: () => reporting(work, resolve), failed: reject, ...how });
    });
  }

  #transact(jobs: readonly TransactionJob[]): readonly (() => void)[] {
    const patienceMs = Math.max(...jobs.map((job) => job.patienceMs ?? this.#busyTimeoutMs));
    try {
      this.#patiently(() => this.#database.exec("BEGIN IMMEDIATE"), patienceMs);
      const reports = this.attempt(() => jobs.map((job) => this.#perform(job)));
      this.#patiently(() => this.#database.exec("COMMIT"), patienceMs);
      return reports;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** A failed job's changes are rolled back; other jobs are not affected. */
  #perform({ work, failed, isSingle }: TransactionJob): () => void {
    if (!isSingle) this.#database.exec("SAVEPOINT job");
    try {
      const report = work();
      if (!isSingle) this.#database.exec("RELEASE job");
      return report;
    } catch (error) {
      // A full disk ends the whole transaction.
      if (!this.#database.isTransaction) throw error;
      if (!isSingle) this.#database.exec("ROLLBACK TO job; RELEASE job");
      return () => failed(this.#explain(error));
    }
  }

  /** Retries a call that has no effect while others hold the lock. */
  #patiently<T>(use: () => T, patienceMs = this.#busyTimeoutMs): T {
    return this.attempt(() => {
      for (let turns = 1; ; turns += 1) {
        try {
          return use();
        } catch (error) {
          if (!isBusy(error) || turns * busyTurnMs >= patienceMs) throw error;
        }
      }
    });
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // The next process that opens the file will roll it back.
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function reporting<T>(work: () => T, done: (value: T) => void): () => void {
  const value = work();
  return () => done(value);
}
