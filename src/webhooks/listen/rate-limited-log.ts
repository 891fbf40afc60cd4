import type { Clock } from "../../host/host.ts";

const quietMs = 60_000;

/**
 * Writes lasting conditions to stderr, at most once a minute for each kind: a receiver runs for months, and its
 * operator reads the log.
 */
export class RateLimitedLog {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #say: (line: string) => void;
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Pick<Clock, "elapsed">, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  say(kind: string, line: string): void {
    const now = this.#clock.elapsed();
    const last = this.#lastAt.get(kind);
    if (last !== undefined && now - last < quietMs) return;
    this.#lastAt.set(kind, now);
    this.#say(line);
  }

  /**
   * Ends a condition, so that its next occurrence is logged at once.
   * @returns true where it had been logged
   */
  isOver(kind: string): boolean {
    return this.#lastAt.delete(kind);
  }
}
