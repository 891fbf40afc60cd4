import { Day } from "../values/time/day.ts";

export const intervals = ["day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

const daysInWeek = 7;
/** 1970-01-01, the day with the number 0, was a Thursday. */
const mondayShift = 3;

/** The name of the interval that a day is in: the day, the Monday of its week, or its month. */
export function intervalOf(day: string, by: Interval): string {
  if (by === "day") return day;
  if (by === "month") return day.slice(0, "2026-10".length);
  const parsed = Day.parse(day);
  return parsed === undefined ? day : mondayOf(parsed).toString();
}

/** The names of all intervals from one day to another, in order. */
export function intervalsFrom(startDay: string, endDay: string, by: Interval): readonly string[] {
  const names = new Set<string>();
  const [first, last] = [Day.parse(startDay), Day.parse(endDay)];
  if (first === undefined || last === undefined) return [];
  for (let day = first; day.compare(last) <= 0; day = day.addDays(1)) names.add(intervalOf(day.toString(), by));
  return [...names];
}

function mondayOf(day: Day): Day {
  return day.addDays(-((day.serial + mondayShift) % daysInWeek));
}
