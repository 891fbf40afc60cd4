import { Day, noDay } from "./day.ts";
import { Failure } from "../failure.ts";
import { violation, combined } from "../violation.ts";

/** Days that something is asked for, both ends included. */
export interface Period {
  readonly startDate: Day;
  readonly endDate: Day;
}

/** The ways to give a period on the command line. */
export interface PeriodFlags {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly month?: string | undefined;
  readonly date?: string | undefined;
  readonly today?: boolean | undefined;
  readonly yesterday?: boolean | undefined;
  readonly lastMonth?: boolean | undefined;
  readonly thisMonth?: boolean | undefined;
  readonly year?: string | undefined;
  /** How many days up to today, today included. */
  readonly last?: number | undefined;
}

/**
 * The period that the flags give: a pair of days, a first day alone (up to today), or one of the short forms. `today`
 * is the day in Dar es Salaam.
 * @throws {Failure} usage: none given, several given, an end alone, the end before the start, days that don't exist
 */
export function resolvePeriod(flags: PeriodFlags, today: Day): Period {
  const ways = waysGiven(flags);
  if (ways.length === 0) throw noPeriod(today);
  if (ways.length > 1) {
    throw new Failure("usage", `The period is given in ${ways.length} ways: ${ways.join(", ")}.`, {
      hint: `Keep one of them, for example ${ways.at(-1)}.`,
    });
  }
  if (flags.month !== undefined) return wholeMonth(flags.month, "--month");
  if (flags.date !== undefined) return oneDay(unlessFailed(dayOf(flags.date, "--date")));
  if (flags.today === true) return oneDay(today);
  if (flags.yesterday === true) return oneDay(today.addDays(-1));
  if (flags.lastMonth === true) return monthOf(today.firstOfMonth().addDays(-1));
  if (flags.thisMonth === true) return { startDate: today.firstOfMonth(), endDate: today };
  if (flags.year !== undefined) return yearOf(flags.year, today);
  if (flags.last !== undefined) return { startDate: today.addDays(1 - flags.last), endDate: today };
  return pairOf(flags, today);
}

/** A note about a period that ends in the future; undefined where it ends today or earlier. */
export function describeFuture({ startDate, endDate }: Period, today: Day): string | undefined {
  if (endDate.compare(today) <= 0) return undefined;
  const isWhole = startDate.compare(today) > 0;
  return isWhole
    ? `The whole period is in the future: today is ${today.toString()}.`
    : `The period ends in the future: today is ${today.toString()}.`;
}

/** The period for people: `2026-10-01 to 2026-10-31`, or a single day. */
export function describePeriod({ startDate, endDate }: Period): string {
  return startDate.compare(endDate) === 0 ? startDate.toString() : `${startDate.toString()} to ${endDate.toString()}`;
}

/** The same days in pieces that end with their months. */
export function monthsOf({ startDate, endDate }: Period): readonly Period[] {
  const months: Period[] = [];
  for (let start = startDate; start.compare(endDate) <= 0;) {
    const last = start.lastOfMonth();
    const end = last.compare(endDate) < 0 ? last : endDate;
    months.push({ startDate: start, endDate: end });
    start = end.addDays(1);
  }
  return months;
}

function waysGiven(flags: PeriodFlags): string[] {
  const pair = [flags.startDate === undefined ? [] : "--start-date", flags.endDate === undefined ? [] : "--end-date"];
  return [pair.flat().join(" with "), ...shortWaysGiven(flags)].filter((way) => way !== "");
}

/** The given flags that name a whole period by themselves. */
export function shortWaysGiven(flags: PeriodFlags): string[] {
  return [
    flags.month === undefined ? "" : "--month",
    flags.date === undefined ? "" : "--date",
    flags.today === true ? "--today" : "",
    flags.yesterday === true ? "--yesterday" : "",
    flags.lastMonth === true ? "--last-month" : "",
    flags.thisMonth === true ? "--this-month" : "",
    flags.year === undefined ? "" : "--year",
    flags.last === undefined ? "" : "--last",
  ].filter((way) => way !== "");
}

function noPeriod(today: Day): Failure {
  const month = today.toString().slice(0, 7);
  const pair = `--start-date ${today.firstOfMonth().toString()} --end-date ${today.toString()}`;
  return new Failure("usage", "No period is given.", {
    hint: `Add --month ${month}, or ${pair}, or one of --date ${today.toString()}, --today, --yesterday, --this-month, --last-month, --last 7d, --year ${month.slice(0, 4)}.`,
  });
}

/** Without an end, the period is up to today, or only the first day if that is in the future. */
function pairOf(flags: PeriodFlags, today: Day): Period {
  const start = flags.startDate === undefined ? noStart(flags.endDate) : dayOf(flags.startDate, "--start-date");
  const latest = start instanceof Failure || start.compare(today) <= 0 ? today : start;
  const end = flags.endDate === undefined ? latest : dayOf(flags.endDate, "--end-date");
  const violations = [start, end].filter((part) => part instanceof Failure);
  if (start instanceof Failure || end instanceof Failure) throw combined(violations);
  if (start.compare(end) <= 0) return { startDate: start, endDate: end };
  throw new Failure("usage", `--end-date ${end.toString()} is before --start-date ${start.toString()}.`, {
    hint: `Swap them: --start-date ${end.toString()} --end-date ${start.toString()}.`,
  });
}

function noStart(endText = ""): Failure {
  const end = Day.parse(endText) ?? undefined;
  return new Failure("usage", "--end-date is given without --start-date.", {
    hint: `Add --start-date, for example --start-date ${end?.toString() ?? "2026-10-31"}.`,
  });
}

function dayOf(text: string, field: string): Day | Failure {
  return Day.parse(text) ?? orFlag(text, noDay(text, field), dayWords);
}

function unlessFailed(day: Day | Failure): Day {
  if (day instanceof Failure) throw day;
  return day;
}

/** Periods that people write as the value of another flag. */
const dayWords = ["--today", "--yesterday", "--last-month", "--this-month"];
/** Where a month is asked for, there is always this flag. */
const monthWords = ["--last-month"];

/** The failure of such a value, with the flag that is meant. */
function orFlag(text: string, failure: Failure, flags: readonly string[]): Failure {
  const meant = `--${text.trim().toLowerCase().replaceAll(/\s+/g, "-")}`;
  if (!flags.includes(meant)) return failure;
  return new Failure("usage", failure.message, { hint: `Did you mean ${meant}?`, details: failure.details });
}

/** The current year ends today. */
function yearOf(text: string, today: Day): Period {
  const first = /^\d{4}$/.test(text) ? Day.parse(`${text}-01-01`) : undefined;
  const last = Day.parse(`${text}-12-31`);
  if (first === undefined || last === undefined)
    throw violation({ field: "--year", text, problem: "is not a year", example: "2026" });
  const isNow = first.compare(today) <= 0 && today.compare(last) < 0;
  return { startDate: first, endDate: isNow ? today : last };
}

/**
 * The days of a month that a person typed.
 * @param field the flag, or the argument's name
 * @throws {Failure} usage
 */
export function wholeMonth(text: string, field: string): Period {
  const month = Day.parseMonth(text);
  if (month !== undefined) return monthOf(month);
  const failure = violation({ field, text, problem: "isn't a valid month", example: "2026-10", rule: "year-month" });
  throw field === "--month" ? orFlag(text, failure, monthWords) : failure;
}

function monthOf(day: Day): Period {
  return { startDate: day.firstOfMonth(), endDate: day.lastOfMonth() };
}

function oneDay(day: Day): Period {
  return { startDate: day, endDate: day };
}
