import type { Day } from "./day.ts";
import { dayInDarEsSalaam } from "./day.ts";
import { formatDuration } from "./duration.ts";

/** Clocks that differ by less count as equal: searches for evidence have a margin of a day. */
export const clockAgreesMs = 3_600_000;
const minuteMs = 60_000;
/** Only times between 2020 and 2200 are plausible: other clocks are not usable. */
const [firstMs, lastMs] = [Date.UTC(2020, 0, 1), Date.UTC(2200, 0, 1)];
/** The `Date` header has no fractions. */
const dateStepMs = 1000;

/** How far the service's clock is from this machine's, in milliseconds; both are 0 where they agree. */
export interface ClockSpread {
  /** Added for the earliest possible time: 0 or less. */
  readonly earliestMs: number;
  /** Added for the latest possible time: 0 or more. */
  readonly latestMs: number;
}

/** The spread of clocks that agree, or are not known yet. */
export const noSpread: ClockSpread = { earliestMs: 0, latestMs: 0 };

/** An answer's headers, and this machine's times before and after it. */
export interface DatedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/**
 * The service's clock, by the `Date` header of its answers. Which of two clocks is wrong can't be known, so this
 * machine's time always counts as well.
 */
export class ServiceClock {
  #spread: ClockSpread | undefined;
  readonly #onNews: () => void;

  /** @param onNews called when the service's clock turns out to differ from what was known */
  constructor(onNews: () => void = () => undefined) {
    this.#onNews = onNews;
  }

  /** The same object as long as nothing changes. */
  get spread(): ClockSpread {
    return this.#spread ?? noSpread;
  }

  /** True after an answer with a date. */
  get isObserved(): boolean {
    return this.#spread !== undefined;
  }

  observe(answer: DatedAnswer): void {
    // A cached answer has the date when it was made.
    const offMs = answer.headers["age"] === undefined ? clockOffMs(answer) : undefined;
    if (offMs === undefined) return;
    const known = (this.#spread ??= noSpread);
    const { earliestMs, latestMs } = known;
    // Answers vary slightly; only larger differences count.
    if (offMs < earliestMs - clockAgreesMs) this.#spread = { earliestMs: offMs, latestMs };
    if (offMs > latestMs + clockAgreesMs) this.#spread = { earliestMs, latestMs: offMs };
    if (this.#spread !== known) this.#onNews();
  }
}

/**
 * How many milliseconds the service's clock is at least ahead of this machine's; negative where it is behind. Undefined
 * where the answer has no plausible date.
 */
export function clockOffMs({ headers, askedMs, answeredMs }: DatedAnswer): number | undefined {
  const dateMs = Date.parse(headers["date"] ?? "");
  if (!(dateMs >= firstMs && dateMs <= lastMs)) return undefined;
  return Math.max(dateMs - answeredMs, 0) + Math.min(dateMs + dateStepMs - askedMs, 0);
}

/** The possible days at a moment, by either clock. */
export interface Days {
  readonly earliest: Day;
  readonly latest: Day;
  /** By this machine's clock. */
  readonly own: Day;
}

/** The possible days in Dar es Salaam at that moment of this machine's clock. */
export function daysAt(epochMs: number, { earliestMs, latestMs }: ClockSpread): Days {
  return {
    earliest: dayInDarEsSalaam(epochMs + earliestMs),
    latest: dayInDarEsSalaam(epochMs + latestMs),
    own: dayInDarEsSalaam(epochMs),
  };
}

/** The difference of the two clocks, in a sentence; undefined if they agree. */
export function spreadWords({ earliestMs, latestMs }: ClockSpread): string | undefined {
  const offMs = Math.max(latestMs, -earliestMs);
  if (offMs === 0) return undefined;
  const off = formatDuration(Math.round(offMs / minuteMs) * minuteMs);
  const apart = latestMs >= -earliestMs ? `${off} behind` : `${off} ahead of`;
  return `This machine's clock is ${apart} the service's.`;
}
