import type { Clock } from "../../src/host/host.ts";

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock that only moves when told; then sleepers wake in order. */
export class TownClock implements Clock {
  readonly #startMs: number;
  readonly #sleepers = new Set<Sleeper>();
  #passedMs = 0;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#passedMs;
  }

  elapsed(): number {
    return this.#passedMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      };
      const sleeper: Sleeper = {
        atMs: this.#passedMs + ms,
        wake: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      if (signal.aborted) return stop();
      this.#sleepers.add(sleeper);
      return signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** Advances the clock, and lets each sleeper that wakes continue. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#passedMs + ms;
    for (;;) {
      const next = [...this.#sleepers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#sleepers.delete(next);
      this.#passedMs = Math.max(this.#passedMs, next.atMs);
      next.wake();
      await turn();
    }
    this.#passedMs = endMs;
  }
}

/** Runs everything that is ready. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
