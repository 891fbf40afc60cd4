import { Day, dayInDarEsSalaam } from "../values/time/day.ts";

const timestamp = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * The day in Dar es Salaam of a timestamp of the service. Without a zone it is the service's own time, which is that of
 * Dar es Salaam; with one it is converted. Undefined for any other text.
 */
export function valueDayOf(text: string): Day | undefined {
  const [, date = "", time, zone] = timestamp.exec(text) ?? [];
  const day = Day.parse(date);
  if (day === undefined || time === undefined || zone === undefined) return day;
  const offset = zone === "Z" ? zone : zone.replace(/^(...)(\d\d)$/, "$1:$2");
  const epochMs = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(epochMs) ? undefined : dayInDarEsSalaam(epochMs);
}
