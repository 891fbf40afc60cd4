import type { Account } from "../profiles/account.ts";
import type { HostTimes } from "../host/host-times.ts";
import type { ClockSpread } from "../values/time/service-clock.ts";
import { clockAgreesMs, noSpread, ServiceClock, spreadWords } from "../values/time/service-clock.ts";

/** Follows the service's clock in its answers, and tells a person where a difference matters. */
export class ClockWatch {
  /** For all answers of a run, watched or not. */
  readonly clock = new ServiceClock(() => this.#say());
  readonly #note: (line: string) => Promise<void>;
  /** What follows from a difference, in a sentence; undefined until it matters to the command. */
  #effect: string | undefined;
  /** The simulator's clock can be set, so a difference means nothing. */
  #isSimulated = false;

  constructor(note: (line: string) => Promise<void>) {
    this.#note = note;
  }

  /** From now on, the answers come from this account's service. */
  attach(account: Account): Account {
    this.#isSimulated = account.environment === "simulator";
    return account;
  }

  /**
   * How far apart the clocks are; no spread where the service is a simulator, whose clock can be set at will. A clock of
   * this machine that was set back since it was compared is behind by as much.
   */
  spreadSince(start: HostTimes, { now, elapsed }: HostTimes): ClockSpread {
    if (this.#isSimulated) return noSpread;
    const { spread, isObserved } = this.clock;
    const setBackMs = elapsed - start.elapsed - (now - start.now);
    // A clock that was ahead may have been set right.
    const latestMs = setBackMs + spread.earliestMs;
    if (!isObserved || latestMs < Math.max(spread.latestMs, clockAgreesMs)) return spread;
    return { ...spread, latestMs };
  }

  /**
   * For commands that depend on the service's time: from now on a difference from this machine's is noted.
   * @param effect what the command does about it; the first one counts
   */
  watch(effect = "Statements are read for the days of both."): ServiceClock {
    if (this.#effect === undefined) {
      this.#effect = effect;
      this.#say();
    }
    return this.clock;
  }

  #say(): void {
    const words = this.#effect === undefined || this.#isSimulated ? undefined : spreadWords(this.clock.spread);
    if (words !== undefined) void this.#note(`${words} ${this.#effect} Synchronise it over the network.`);
  }
}
