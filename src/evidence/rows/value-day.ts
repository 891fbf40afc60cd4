import { Day } from "../../values/time/day.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";

const timestamp = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** The day in Dar es Salaam of a timestamp of the service. Undefined for any other text. */
export function valueDayOf(text: string): Day | undefined {
  return timestamp.test(text) ? Day.parse(dayOfTimestamp(text) ?? "") : undefined;
}
