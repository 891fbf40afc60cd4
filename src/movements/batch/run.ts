import { walletUnreadReason } from "../../journal/age/registration-words.ts";
import type { Movement } from "../../journal/movement.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { movementFailure } from "../movement-report.ts";
import type { MoneyOrder } from "../order.ts";
import type { MoneyTools } from "../perform.ts";
import { perform } from "../perform.ts";
import { RowCounts, rowStateOf } from "./result.ts";
import { outcomeOfRow } from "./row-outcome.ts";

/** How many rows may be under way at once: a service is to be kept busy, not to be flooded. */
export const concurrencyMax = 16;
/** Rows in a row that could not be sent, or of which nobody knows what became: the next one would fare no better. */
export const troubleMaxRows = 10;

/** An order and the line that it stands in. */
export interface RowToSend {
  readonly line: number;
  readonly order: MoneyOrder;
}

export interface BatchRunOptions {
  readonly id: string;
  readonly concurrency: number;
  readonly tools: MoneyTools;
  /** Hears of each row that is over, whether or not it was sent now. */
  readonly onRow: (state: Movement["state"]) => void;
}

export interface BatchRun {
  /** Rows that left now, whatever came of them. */
  readonly sentCount: number;
  /** What the rows are that this run has come to. */
  readonly seen: RowCounts;
  /** Why rows were left; undefined where none was. */
  readonly stopped: Failure | undefined;
  /** Why single rows were not sent although the batch went on, by their lines. */
  readonly left: ReadonlyMap<number, string>;
  /** True where one of those may have been paid before. */
  readonly isDoubted: boolean;
}

/**
 * Sends what is to be sent, each row through the one door, so many at a time. What is done is skipped, what is unknown
 * is never sent again. Ctrl-C, TERM and HUP leave the rest; what is on its way has its answer, until a second one.
 * @throws {Error} what nobody foresaw, when all that is under way has come to its end
 */
export async function runBatch(rows: AsyncIterable<RowToSend>, options: BatchRunOptions): Promise<BatchRun> {
  const runner = new Runner(options);
  const next = rows[Symbol.asyncIterator]();
  // What is under way comes to its end, whatever happens to the others.
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
  readonly #seen = new RowCounts();
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
        this.#stopped ??= new Failure("bug", "It came to an end that was not foreseen.", { cause: error });
        throw error;
      }
      if (error.money === "unknown") this.#isDoubted = true;
      // A row that the profile, another request of its reference or its own wallet holds back holds nobody else back.
      if (error.ending === "usage" || error.reason === walletUnreadReason) this.#left.set(line, wordsOf(error));
      else this.#stopped ??= error;
    }
  }

  #see(movement: Movement): void {
    this.#seen.add(rowStateOf(movement));
    this.#options.onRow(movement.state);
  }

  /** What is wrong with more than one row ends the run. */
  #judge(movement: Movement): void {
    const { state } = movement;
    this.#troubleCount = state === "unsent" || state === "unknown" ? this.#troubleCount + 1 : 0;
    const failure = movementFailure(movement);
    if (failure?.ending === "setup") this.#stopped ??= failure;
    if (this.#troubleCount >= troubleMaxRows && failure !== undefined) this.#stopped ??= troubled(failure);
  }
}

function troubled({ ending, message, hint }: Failure): Failure {
  return new Failure(
    ending,
    `${troubleMaxRows} rows in a row fared alike, so the rest was left. The last: ${message}`,
    {
      hint,
    },
  );
}

function wordsOf({ message, details = {} }: Failure): string {
  const more = Object.entries(details).map(([name, problem]) => `${name}: ${problem}`);
  return [message, ...more].join(" ");
}
