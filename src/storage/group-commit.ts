import type { LogFile } from "../host/databases/sqlite.ts";

/** How many syncs may run at once. */
const syncsMax = 2;

/** One job inside a transaction, and its caller. */
export interface TransactionJob {
  /** True for a single statement, which is undone by itself if it fails. */
  readonly isSingle: boolean;
  /** Returns a function to call when the transaction is on the disk. */
  readonly work: () => () => void;
  readonly failed: (error: unknown) => void;
  /** How long to wait for other processes' locks; undefined for the default. */
  readonly patienceMs?: number | undefined;
}

/** Commits a group of jobs. */
export interface Committer {
  /**
   * Runs the jobs in one transaction and commits it.
   * @returns functions to call when it is on the disk
   * @throws {Failure} for all jobs: none has taken effect
   */
  commit(jobs: readonly TransactionJob[]): readonly (() => void)[];
  /** Sets whether `commit` returns when it is on the disk (true), or when it is in the log. */
  syncByItself(isWanted: boolean): void;
  explain(error: unknown): unknown;
}

/**
 * Commits in groups: jobs of one turn of the event loop share a commit and a sync of the disk. A write-ahead log is
 * synced while the process does other work. Jobs are reported as done only once the commit is durable.
 */
export class GroupCommit {
  readonly #committer: Committer;
  #queue: TransactionJob[] = [];
  #isTurnComing = false;
  #log: LogFile | undefined;
  /** How many syncs are running, and a promise for the end of the last. */
  #syncs = 0;
  #syncing: Promise<void> | undefined;
  #brokenBy: unknown;

  constructor(committer: Committer) {
    this.#committer = committer;
  }

  useLog(log: LogFile): void {
    this.#log = log;
    this.#committer.syncByItself(false);
  }

  /** Commits the job with all others of this turn of the event loop. */
  add(job: TransactionJob): void {
    this.#queue.push(job);
    this.#awaitTurn();
  }

  /** Commits the job and all waiting ones at once; they are on the disk on return. */
  addNow(job: TransactionJob): void {
    this.#queue.push(job);
    this.#flushNow();
  }

  /** Commits all waiting jobs; they are on the disk on return. */
  #flushNow(): void {
    if (this.#queue.length === 0 && this.#syncing === undefined) return;
    if (this.#log !== undefined) this.#committer.syncByItself(true);
    this.#flush(undefined);
    if (this.#log !== undefined) this.#committer.syncByItself(false);
  }

  /** Resolves when every commit so far is on the disk. */
  async settled(): Promise<void> {
    while (this.#syncing !== undefined) await this.#syncing;
  }

  close(): void {
    this.#flushNow();
    const log = this.#log;
    if (this.#syncing === undefined) log?.close();
    else void this.#syncing.then(() => log?.close());
  }

  /** While the disk is busy, more jobs are collected, as long as each turn brings some. */
  #awaitTurn(): void {
    if (this.#isTurnComing || this.#queue.length === 0 || this.#syncs >= syncsMax) return;
    this.#isTurnComing = true;
    const before = this.#queue.length;
    setImmediate(() => {
      this.#isTurnComing = false;
      if (this.#syncs > 0 && this.#queue.length > before) this.#awaitTurn();
      else this.#flush(this.#log);
    });
  }

  /** @param log to sync before jobs are reported as done; without one, the commit itself syncs */
  #flush(log: LogFile | undefined): void {
    const jobs = this.#queue;
    this.#queue = [];
    if (jobs.length === 0) return;
    let reports: readonly (() => void)[];
    try {
      if (this.#brokenBy !== undefined) throw this.#brokenBy;
      reports = this.#committer.commit(jobs);
    } catch (error) {
      for (const { failed } of jobs) failed(error);
      return;
    }
    if (log === undefined) for (const report of reports) report();
    else this.#syncing = this.#bringToDisk(log, jobs, reports);
  }

  /**
   * A commit comes after earlier ones in the log, so it is durable only when they are. After a failed sync, the state
   * of the log is unknown, and a second sync would not reveal it: no later commit is reported as durable.
   */
  async #bringToDisk(log: LogFile, jobs: readonly TransactionJob[], reports: readonly (() => void)[]): Promise<void> {
    this.#syncs += 1;
    try {
      await Promise.all([log.sync(), this.#syncing]);
      if (this.#brokenBy !== undefined) throw this.#brokenBy;
      for (const report of reports) report();
    } catch (error) {
      this.#brokenBy ??= this.#committer.explain(error);
      for (const { failed } of jobs) failed(this.#brokenBy);
    }
    this.#syncs -= 1;
    if (this.#syncs === 0) this.#syncing = undefined;
    this.#awaitTurn();
  }
}
