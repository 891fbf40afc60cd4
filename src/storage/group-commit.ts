import type { LogFile } from "../host/databases/sqlite.ts";

/** How many commits may be on their way to the disk at once. */
const syncsMax = 2;

/** One piece of work inside of a transaction, and who waits for it. */
export interface Job {
  /** True where it is one statement, which undoes itself where it fails. */
  readonly isSingle: boolean;
  /** What it returns is to be called when all of it is on the disk. */
  readonly work: () => () => void;
  readonly failed: (error: unknown) => void;
  /** How long others may keep the database to themselves; as long as for every job where it is not said. */
  readonly patienceMs?: number | undefined;
}

/** What a group of jobs is committed with. */
export interface Committer {
  /**
   * Does the jobs in one transaction and commits it.
   * @returns what is to be called when it is on the disk
   * @throws {Failure} for all of them: nothing of it is done
   */
  commit(jobs: readonly Job[]): readonly (() => void)[];
  /** Says whether `commit` returns when it is on the disk, or when it is in the log. */
  syncByItself(isWanted: boolean): void;
  explain(error: unknown): unknown;
}

/**
 * Commits in groups: what wants to be committed within one turn of the event loop shares a commit, and with it the
 * waiting for the disk. Where there is a write-ahead log, that is brought to the disk while the process does other
 * things. Nobody hears of a commit before it is there.
 */
export class GroupCommit {
  readonly #committer: Committer;
  #queue: Job[] = [];
  #isTurnComing = false;
  #log: LogFile | undefined;
  /** How many commits are on their way to the disk, and when the last of them is there. */
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

  /** Commits the job with whatever else comes in this turn of the loop. */
  add(job: Job): void {
    this.#queue.push(job);
    this.#awaitTurn();
  }

  /** Commits at once what waits, and the job: all of it is on the disk when it returns. */
  addNow(job: Job): void {
    this.#queue.push(job);
    this.#flushNow();
  }

  /** Commits what waits; it is on the disk when it returns. */
  #flushNow(): void {
    if (this.#queue.length === 0 && this.#syncing === undefined) return;
    if (this.#log !== undefined) this.#committer.syncByItself(true);
    this.#flush(undefined);
    if (this.#log !== undefined) this.#committer.syncByItself(false);
  }

  /** Resolves when nothing that was committed is on its way to the disk. */
  async settled(): Promise<void> {
    while (this.#syncing !== undefined) await this.#syncing;
  }

  close(): void {
    this.#flushNow();
    const log = this.#log;
    if (this.#syncing === undefined) log?.close();
    else void this.#syncing.then(() => log?.close());
  }

  /** While the disk is at work more gathers, as long as each turn brings some. */
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

  /** @param log is brought to the disk before anybody hears of it; without one the commit itself does that */
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
   * A later commit lies behind the earlier ones in the log, so it counts when they are there too. Where the disk fails,
   * what it has of the log is not known any more, and a second sync would not tell: nothing is promised from then on.
   */
  async #bringToDisk(log: LogFile, jobs: readonly Job[], reports: readonly (() => void)[]): Promise<void> {
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
