import { walletUnreadReason } from "../../journal/age/registration-words.ts";
import type { Movement } from "../../journal/movement.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { movementFailure } from "../movement-report.ts";
import type { MoneyOrder } from "../order.ts";
import type { MoneyTools } from "../perform.ts";
import { perform } from "../perform.ts";
import { BatchRowCounts, rowStateOf } from "./result.ts";
import { outcomeOfRow } from "./rows/row-outcome.ts";

/** The largest number of requests at once: the service is to be kept busy, not flooded. */
export const concurrencyMax = 16;
/** After this many consecutive rows without a known outcome, the run stops: the next row would fail the same way. */
export const troubleMaxRows = 10;

/** An order, and its line in the file. */
export interface RowToSend {
  readonly line: number;
  readonly order: MoneyOrder;
}

export interface BatchRunOptions {
  readonly id: string;
  readonly concurrency: number;
  readonly tools: MoneyTools;
  /** Called for each finished row, whether it was sent in this run or before. */
  readonly onRow: (state: Movement["state"]) => void;
}

export interface BatchRun {
  /** Rows that were sent in this run, whatever their outcome. */
  readonly sentCount: number;
  /** Counts of the rows that this run reached. */
  readonly seen: BatchRowCounts;
  /** Why the run stopped early; undefined where it didn't. */
  readonly stopped: Failure | undefined;
  /** Why single rows were skipped, by line. */
  readonly left: ReadonlyMap<number, string>;
  /** What to do about the skipped rows, where it is the same for all of them. */
  readonly leftHint: string | undefined;
  /** True where a skipped row may have been paid before. */
  readonly isDoubted: boolean;
}

/**
 * Sends all rows that are to be sent, each through `perform`, several at a time. Finished rows are skipped; unknown
 * ones are never sent again. Ctrl-C, TERM and HUP skip the rest; requests under way are still waited for, until a
 * second signal.
 * @throws {Error} an unexpected error, after all requests under way have ended
 */
export async function runBatch(rows: AsyncIterable<RowToSend>, options: BatchRunOptions): Promise<BatchRun> {
  const runner = new Runner(options);
  const next = rows[Symbol.asyncIterator]();
  // Rows under way are finished, even where another one fails.
  const workers = await Promise.allSettled(Array.from({ length: options.concurrency }, () => runner.work(next)));
  await next.return?.();
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  return runner.result();
}

class Runner {
  readonly #options: BatchRunOptions;
  readonly #signal: AbortSignal;
  readonly #tools: MoneyTools;
  readonly #left = new Map<number, string>();
  readonly #leftHints = new Set<string | undefined>();
  readonly #seen = new BatchRowCounts();
  #sentCount = 0;
  #troubleCount = 0;
  #isDoubted = false;
  #stopped: Failure | undefined;

  constructor(options: BatchRunOptions) {
    this.#options = options;
    this.#signal = options.tools.host.signal;
    this.#tools = options.tools;
  }

  async work(rows: AsyncIterator<RowToSend>): Promise<void> {
    while (this.#stopped === undefined && !this.#signal.aborted) {
      const next = await rows.next();
      if (next.done === true) return;
      await this.#send(next.value);
    }
  }

  result(): BatchRun {
    const { signal } = interruption(this.#signal);
    const interrupted = new Failure("interrupted", "It was interrupted.", { signal });
    return {
      sentCount: this.#sentCount,
      seen: this.#seen,
      stopped: this.#stopped ?? (this.#signal.aborted ? interrupted : undefined),
      left: this.#left,
      leftHint: this.#leftHints.size === 1 ? [...this.#leftHints][0] : undefined,
      isDoubted: this.#isDoubted,
    };
  }

  async #send({ line, order }: RowToSend): Promise<void> {
    try {
      const past = await outcomeOfRow(order, this.#tools);
      if (past.is === "done" || (past.is === "unknown" && past.movement.state === "unknown")) {
        this.#see(past.movement);
        return;
      }
      if (this.#signal.aborted) return;
      const { movement, sentNow } = await perform(
        { ...order, batch: { id: this.#options.id, row: line } },
        this.#tools,
      );
      if (sentNow && movement.state !== "unsent") this.#sentCount += 1;
      this.#see(movement);
      this.#judge(movement);
    } catch (error) {
      if (error === this.#signal.reason) return;
      if (!(error instanceof Failure)) {
        this.#stopped ??= new Failure("bug", "It ended unexpectedly.", { cause: error });
        throw error;
      }
      if (error.money === "unknown") this.#isDoubted = true;
      // A violation of a limit, a used reference or an unread wallet concerns this row alone.
      if (error.ending === "usage" || error.reason === walletUnreadReason) this.#leave(line, error);
      else this.#stopped ??= error;
    }
  }

  #leave(line: number, why: Failure): void {
    this.#left.set(line, wordsOf(why));
    this.#leftHints.add(why.hint);
  }

  #see(movement: Movement): void {
    this.#seen.add(rowStateOf(movement));
    this.#options.onRow(movement.state);
  }

  /** A failure that concerns more than one row stops the run. */
  #judge(movement: Movement): void {
    const { state } = movement;
    this.#troubleCount = state === "unsent" || state === "unknown" ? this.#troubleCount + 1 : 0;
    const failure = movementFailure(movement);
    if (failure?.ending === "setup") this.#stopped ??= failure;
    if (this.#troubleCount >= troubleMaxRows && failure !== undefined) this.#stopped ??= tooManyFailures(failure);
  }
}

function tooManyFailures({ ending, message, hint }: Failure): Failure {
  return new Failure(
    ending,
    `${troubleMaxRows} rows in succession ended the same way, so the rest was left. The last: ${message}`,
    {
      hint,
    },
  );
}

function wordsOf({ message, details = {} }: Failure): string {
  const untold = Object.entries(details).filter(([, problem]) => !message.includes(problem));
  const more = untold.map(([name, problem]) => `${name}: ${problem}`);
  return [message, ...more].join(" ");
}
