import type { Job } from "./job.ts";
import type { SimulatedClock } from "./clock.ts";

/** Performs a job that is due, and schedules its follow-ups. */
export type Perform = (job: Job, signal: AbortSignal) => Promise<void>;

/**
 * Runs jobs when they are due, independently of each other. A job stays open until it is performed, so a saved state
 * loses none.
 */
export class Scheduler {
  readonly #open: Set<Job>;
  readonly #clock: SimulatedClock;
  readonly #perform: Perform;
  readonly #reportError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(open: Set<Job>, clock: SimulatedClock, perform: Perform, reportError: (error: unknown) => void) {
    this.#open = open;
    this.#clock = clock;
    this.#perform = perform;
    this.#reportError = reportError;
  }

  /** Starts the jobs that are already open, from a state file. */
  resume(): void {
    for (const job of this.#open) this.#start(job);
  }

  add(job: Job): void {
    this.#open.add(job);
    this.#start(job);
  }

  /** Resolves when no job is left. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Starts no more jobs, interrupts running ones, and leaves the rest open. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.idle();
  }

  #start(job: Job): void {
    const running = this.#run(job).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(job: Job): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await this.#clock.until(job.atMs, signal);
      await this.#perform(job, signal);
    } catch (error) {
      // An interrupted job stays open, and runs again when the state is loaded.
      if (!signal.aborted) this.#reportError(error);
    }
  }
}
