import type { Clock } from "../../host/host.ts";

const quietMs = 60_000;

/**
 * Says on stderr what goes on for long, at most once a minute for each kind of it: a receiver runs for months, and
 * whoever looks after it reads what is written there.
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

  /** What was said is over: it is said again as soon as it begins again. True where it had been said. */
  isOver(kind: string): boolean {
    return this.#lastAt.delete(kind);
  }
}
