import type { Thread } from "../../../host/process/thread.ts";
import { DamageError } from "../../../storage/failures.ts";
import type { EntryBulk } from "./entry-bulk.ts";
import type { EntryMessage } from "./entry-message.ts";
import { EntryPacker } from "./entry-message.ts";
import type { StoredEntry } from "./entry.ts";

/** The name of the thread's task. */
export const bulkTask = "rows of a ledger";
/** Rows that are handed over together. */
const batchRows = 512;
/** Batches on their way to the thread, about 10 MB: as many as arrive while it writes a piece of its index. */
const aheadMax = 32;

/** What the thread writes to. */
export interface BulkGiven {
  /** The path of the ledger. */
  readonly path: string;
  readonly account: number;
  readonly seenAt: number;
}

/**
 * Writes rows in a thread with its own connection to the database, while further rows are read. This thread doesn't
 * touch the database meanwhile.
 */
export class ThreadBulk implements EntryBulk {
  readonly #thread: Thread;
  readonly #explain: (error: unknown) => unknown;
  readonly #packer = new EntryPacker(batchRows);
  readonly #ahead: Promise<void>[] = [];

  constructor(thread: Thread, explain: (error: unknown) => unknown) {
    this.#thread = thread;
    this.#explain = explain;
  }

  add(entry: StoredEntry, place: number): void {
    this.#packer.add(entry, place);
    if (this.#packer.isFull) this.#handOver();
  }

  hasRoom(): Promise<void> | undefined {
    return this.#ahead.length < aheadMax ? undefined : this.#untilRoom();
  }

  async commit(): Promise<void> {
    if (!this.#packer.isEmpty) this.#handOver();
    await explained(this.#tell("commit", []), this.#explain);
  }

  async close(): Promise<void> {
    await this.#thread.end();
  }

  #handOver(): void {
    const message = this.#packer.take();
    void this.#tell(message, [message.numbers.buffer, message.bytes.buffer]);
  }

  #tell(message: EntryMessage | "commit", given: readonly ArrayBuffer[]): Promise<void> {
    const done = this.#done(this.#thread.tell(message, given));
    // Whoever awaits it gets the error; until then it must not count as unhandled.
    done.catch(() => undefined);
    this.#ahead.push(done);
    return done;
  }

  async #done(answer: ReturnType<Thread["tell"]>): Promise<void> {
    const [numbers, bytes] = await answer;
    if (numbers !== undefined && bytes !== undefined) this.#packer.reuse(numbers, bytes);
  }

  async #untilRoom(): Promise<void> {
    while (this.#ahead.length >= aheadMax) await explained(this.#ahead.shift(), this.#explain);
  }
}

async function explained(done: Promise<void> | undefined, explain: (error: unknown) => unknown): Promise<void> {
  try {
    await done;
  } catch (error) {
    throw explain(damageOf(error));
  }
}

/** Errors lose their class between threads. */
function damageOf(error: unknown): unknown {
  const isDamage = error instanceof Error && error.name === "Damage";
  return isDamage ? new DamageError(error.message, { cause: error }) : error;
}
