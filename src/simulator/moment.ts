import type { Clock } from "../host/host.ts";
import { Day } from "../values/day.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text.ts";

const momentForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Timers of Node hold no more than 24 days; an hour is far from it. */
const napMaxMs = 3_600_000;
const serviceZone = "+03:00";

/**
 * The instant that a text names, milliseconds since 1970 UTC: a day, with a time, with a zone. Without a zone it is the
 * service's own time (UTC+3 all year). Undefined for other forms and for days that don't exist.
 */
export function parseMoment(text: string): number | undefined {
  const [, dayText, hours = "0", minutes = "0", seconds = "0", milliseconds = "0", zone = serviceZone] =
    momentForm.exec(text) ?? [];
  const day = dayText === undefined ? undefined : Day.parse(dayText);
  if (day === undefined) return undefined;
  const wallMinutes = Number(hours) * 60 + Number(minutes) - offsetMinutes(zone);
  return day.serial * dayMs + wallMinutes * minuteMs + Number(seconds) * 1000 + Number(milliseconds);
}

/**
 * The instant that a person asked the simulator's clock to begin at.
 * @throws {Failure} usage
 */
export function parseClock(text: string): number {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  throw new Failure("usage", `--clock ${quote(text)} is no moment.`, {
    hint: "Write a day with a time and a zone: --clock 2026-10-31T08:00:00+03:00",
  });
}

/** A clock that begins where it is told to and then runs with the real time. */
export interface SimulatedClock {
  /** Milliseconds since 1970 UTC in the simulator's time. */
  now(): number;
  /** Resolves when that instant has come. */
  until(atMs: number, signal: AbortSignal): Promise<void>;
}

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

function offsetMinutes(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith("-") ? -minutes : minutes;
}
