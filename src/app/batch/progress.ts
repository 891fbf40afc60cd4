import type { Host } from "../../host/host.ts";
import { lineWidth } from "../../host/line-width.ts";

/** Off a terminal, a log only needs a sign of life. */
const lineEveryMs = 5_000;
/** On a terminal, the bar should move visibly. */
const barEveryMs = 100;
const barChars = 24;

/**
 * Shows how far a long run has got: a bar on a terminal, a line every few seconds elsewhere, nothing with `--quiet`.
 */
export class BatchProgress {
  readonly #host: Pick<Host, "stderr" | "clock" | "environment">;
  readonly #total: number;
  readonly #quiet: boolean;
  #done = 0;
  #saidAtMs: number;
  #drawn = false;

  constructor(host: Pick<Host, "stderr" | "clock" | "environment">, total: number, quiet: boolean) {
    this.#host = host;
    this.#total = total;
    this.#quiet = quiet;
    this.#saidAtMs = host.clock.elapsed();
  }

  /** Counts one more finished row. */
  step(): void {
    this.#done += 1;
    const { stderr, clock } = this.#host;
    const now = clock.elapsed();
    if (this.#quiet || now - this.#saidAtMs < (stderr.isTerminal ? barEveryMs : lineEveryMs)) return;
    this.#saidAtMs = now;
    const count = `${this.#done} of ${this.#total} rows`;
    this.#drawn = stderr.isTerminal;
    void stderr.write(stderr.isTerminal ? `\r${this.#bar()} ${count}` : `${count}\n`);
  }

  /** Removes the bar, so that what follows begins on a line of its own. */
  async end(): Promise<void> {
    if (!this.#drawn) return;
    this.#drawn = false;
    const columns = lineWidth(this.#host.stderr, this.#host) ?? barChars;
    await this.#host.stderr.write(`\r${" ".repeat(Math.min(columns - 1, 2 * barChars + 20))}\r`);
  }

  #bar(): string {
    const full = this.#total === 0 ? barChars : Math.round((barChars * this.#done) / this.#total);
    return `[${"#".repeat(Math.min(full, barChars)).padEnd(barChars, ".")}]`;
  }
}
