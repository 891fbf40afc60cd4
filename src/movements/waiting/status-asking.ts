import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { Failure } from "../../values/failure.ts";
import { askStatus, hasStatus, statusDecision } from "../resolve/order-status.ts";
import type { StatusSource } from "../resolve/order-status.ts";

/** Before the first question, and between two of those that follow. */
const waitsMs = [5_000, 5_000, 5_000, 5_000, 10_000, 10_000, 20_000] as const;
const lastWaitMs = 30_000;

/** Polls an order's status: every few seconds, then slower, and never before the service can know it. */
export class StatusAsking {
  readonly #source: StatusSource | undefined;
  readonly #journal: Journal;
  readonly #notes: string[] = [];
  #asked = 0;
  #nextAt: number;
  #isOver = false;

  /** @param sent the order when the wait begins */
  constructor(sent: Movement, journal: Journal, source: StatusSource | undefined) {
    this.#source = sent.transactionId === null ? undefined : source;
    this.#journal = journal;
    this.#nextAt = (source?.clock.elapsed() ?? 0) + waitsMs[0];
  }

  /** Anomalies, one sentence each. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Asks when it is time, and records a final word. A status that cannot be read doesn't end the wait. */
  async askWhenDue(movement: Movement): Promise<void> {
    const source = this.#source;
    if (this.#isOver || source === undefined || source.clock.elapsed() < this.#nextAt) return;
    if (!hasStatus(movement, source)) return;
    try {
      const answer = await askStatus(movement, source);
      if (answer.is === "lacking") {
        this.#isOver = true;
        this.#notes.push(answer.saw);
      }
      if (answer.is === "final") await this.#journal.resolve(movement, statusDecision(answer));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    this.#asked += 1;
    this.#nextAt = source.clock.elapsed() + (waitsMs[this.#asked] ?? lastWaitMs);
  }
}
