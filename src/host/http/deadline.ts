import { elapsedMs } from "../process/elapsed-ms.ts";

/** A time limit that can be paused. */
export class Deadline {
  readonly #onPassed: () => void;
  #leftMs: number;
  #begunMs = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(onPassed: () => void, maxMs: number) {
    this.#onPassed = onPassed;
    this.#leftMs = maxMs;
    this.#begin();
  }

  /** Stops the time until `resume`. */
  pause(): void {
    if (this.#timer === undefined) return;
    this.#leftMs -= elapsedMs() - this.#begunMs;
    this.#stop();
  }

  resume(): void {
    if (this.#timer === undefined && !this.#isOver) this.#begin();
  }

  end(): void {
    this.#isOver = true;
    this.#stop();
  }

  #begin(): void {
    this.#begunMs = elapsedMs();
    this.#timer = setTimeout(this.#onPassed, Math.max(0, this.#leftMs));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
