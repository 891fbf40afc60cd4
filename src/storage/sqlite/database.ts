import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { LogFile } from "../../host/databases/sqlite.ts";
import type { Job } from "../group-commit.ts";
import { GroupCommit } from "../group-commit.ts";
import { isLogSafe } from "./log-version.ts";
import { DamageError, isBusy } from "../failures.ts";

/** How long others may keep the database to themselves. */
const defaultBusyTimeoutMs = 10_000;
/**
 * SQLite waits longer and longer between two looks at a lock, up to 100 ms. Against others who commit without a pause
 * that is how one process never gets its turn; asked anew after so long, it looks every few milliseconds.
 */
const busyTurnMs = 25;

export type Parameters = Readonly<Record<string, SQLInputValue>>;

export interface DatabaseOptions {
  /** Makes of SQLite's errors, and of `Damage`, what the caller is to hear of. */
  readonly explain: (error: unknown) => unknown;
  /** How long others may keep the database to themselves; the process stands still meanwhile. */
  readonly busyTimeoutMs?: number | undefined;
  /** Leaves a database that has a write-ahead log as it is. */
  readonly mayHaveLog?: boolean | undefined;
}

/**
 * A SQLite database whose every commit is on the disk when it returns, power loss included, and whose every error is
 * explained to the caller.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #explain: (error: unknown) => unknown;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, StatementSync>();
  readonly #commits = new GroupCommit({
    commit: (jobs) => this.#transact(jobs),
    syncByItself: (isWanted) => this.execute(`PRAGMA synchronous = ${isWanted ? "FULL" : "NORMAL"}`),
    explain: (error) => this.#explain(error),
  });

  /** @throws {Failure} setup | unavailable */
  constructor(database: DatabaseSync, options: DatabaseOptions) {
    const { explain, busyTimeoutMs = defaultBusyTimeoutMs, mayHaveLog = false } = options;
    this.#database = database;
    this.#explain = explain;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.attempt(() => this.#set(mayHaveLog));
  }

  /**
   * From now on what is committed goes to a write-ahead log, and that to the disk while the process does other things:
   * a commit waits for one sync instead of five. Nobody hears of a commit before it. Where there can't be a log nothing
   * changes.
   * @param open called when there is a log
   */
  useLog(open: () => LogFile): void {
    this.attempt(() => {
      if (!this.#mayHaveLog() || this.value("PRAGMA journal_mode = WAL") !== "wal") return;
      // Whoever has read keeps the file of the log in its place.
      this.get("SELECT 1 FROM sqlite_schema");
      this.#commits.useLog(open());
    });
  }

  /** Resolves when nothing that was committed is on its way to the disk: what is read then survives. */
  settled(): Promise<void> {
    return this.#commits.settled();
  }

  /**
   * Whatever goes wrong in `use` becomes the failure that it is.
   * @throws {Failure} what `explain` makes of it
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

  /** @returns how many rows it changed */
  run(sql: string, parameters: Parameters = {}): number {
    return this.attempt(() => Number(this.#prepare(sql).run(parameters).changes));
  }

  /**
   * Begins work of many rows, which `endBulk` commits: whatever else is committed later brings it to the disk, too. Where
   * there is no write-ahead log it is there at once.
   */
  beginBulk(): void {
    this.#patiently(() => this.#database.exec("BEGIN IMMEDIATE"));
  }

  endBulk(): void {
    this.#patiently(() => this.#database.exec("COMMIT"));
  }

  /** Undoes what was not committed. */
  dropBulk(): void {
    this.#rollBack();
  }

  /** What puts one row after the other into a table, for work inside of a commit that has many of them. */
  inserter(sql: string): (values: readonly SQLInputValue[]) => void {
    const statement = this.attempt(() => this.#prepare(sql));
    return (values) => void statement.run(...values);
  }

  execute(sql: string): void {
    this.#patiently(() => this.#database.exec(sql));
  }

  /**
   * Does the work in a transaction, with whatever else is asked for in this turn of the loop, and commits.
   * @param patienceMs how long others may keep the database to themselves; of several jobs the most patient counts
   */
  commit<T>(work: () => T, patienceMs?: number): Promise<T> {
    return this.#enqueue(work, { isSingle: false, patienceMs });
  }

  /**
   * The same for a single statement, for what comes thousands of times a second.
   * @returns the number of the row that was inserted last, undefined where nothing changed
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

  /** The same at once, with all that waits: on the disk when it returns. */
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
    if (this.#database.isOpen) this.#database.close();
  }

  /**
   * TRUNCATE with FULL is what survives a power loss: DELETE may lose the last commit, since nothing makes the removal
   * of the rollback journal last. macOS only syncs for real when asked to (`fullfsync`).
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

  #enqueue<T>(work: () => T, how: Pick<Job, "isSingle" | "patienceMs">): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#commits.add({ work: () => reporting(work, resolve), failed: reject, ...how });
    });
  }

  #transact(jobs: readonly Job[]): readonly (() => void)[] {
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

  /** Work that fails undoes what it did itself and leaves the others alone. */
  #perform({ work, failed, isSingle }: Job): () => void {
    if (!isSingle) this.#database.exec("SAVEPOINT job");
    try {
      const report = work();
      if (!isSingle) this.#database.exec("RELEASE job");
      return report;
    } catch (error) {
      // A full disk ends the whole transaction by itself.
      if (!this.#database.isTransaction) throw error;
      if (!isSingle) this.#database.exec("ROLLBACK TO job; RELEASE job");
      return () => failed(this.#explain(error));
    }
  }

  /** Does what has no effect as long as others keep the database busy, again and again. */
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
      // What was not committed is rolled back by whoever opens the file next.
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
