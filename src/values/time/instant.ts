import { Day } from "./day.ts";

const momentForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const dayMs = 86_400_000;
const minuteMs = 60_000;
const serviceZone = "+03:00";

/**
 * The instant that a text names, in milliseconds since 1970 UTC: a day, optionally with a time and a zone. Without a
 * zone, it is in the service's own time (UTC+3 all year). Undefined for other forms and for days that don't exist.
 */
export function parseMoment(text: string): number | undefined {
  const [, dayText, hours = "0", minutes = "0", seconds = "0", fraction = "", zone = serviceZone] =
    momentForm.exec(text) ?? [];
  const day = dayText === undefined ? undefined : Day.parse(dayText);
  if (day === undefined) return undefined;
  const wallMinutes = Number(hours) * 60 + Number(minutes) - offsetMinutes(zone);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  return day.serial * dayMs + wallMinutes * minuteMs + Number(seconds) * 1000 + milliseconds;
}

function offsetMinutes(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith("-") ? -minutes : minutes;
}
