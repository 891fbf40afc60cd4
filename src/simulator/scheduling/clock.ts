import type { Clock } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { parseMoment } from "../../values/time/instant.ts";
import { quote } from "../../values/text/text.ts";

/** Node's timers can't run longer than 24 days; an hour is safe. */
const napMaxMs = 3_600_000;

/**
 * Reads the moment at which the simulator's clock starts.
 * @throws {Failure} usage
 */
export function parseClock(text: string): number {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  throw new Failure("usage", `--clock ${quote(text)} isn't a moment.`, {
    hint: "Write a day with a time and a zone: --clock 2026-10-31T08:00:00+03:00",
  });
}

/** A clock that starts at a given time and then runs with the real one. */
export interface SimulatedClock {
  /** Milliseconds since 1970 UTC in the simulator's time. */
  now(): number;
  /** Resolves at that moment, or rejects with the signal's reason. */
  until(atMs: number, signal: AbortSignal): Promise<void>;
}

/** A clock that shows `startMs` now, and runs as fast as the real one. */
export function startClock(clock: Clock, startMs: number): SimulatedClock {
  const offsetMs = startMs - clock.elapsed();
  const now = () => Math.floor(clock.elapsed() + offsetMs);
  return {
    now,
    async until(atMs, signal) {
      for (let left = atMs - now(); left > 0; left = atMs - now()) await clock.sleep(Math.min(left, napMaxMs), signal);
    },
  };
}
