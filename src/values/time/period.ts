import { Day, noDay, parseDay } from "./day.ts";
import { Failure } from "../failure.ts";
import { violation, combined } from "../violation.ts";

/** The days that something is asked for, both ends included. */
export interface Period {
  readonly startDate: Day;
  readonly endDate: Day;
}

/** The ways to say a period, as they come from the command line. */
export interface PeriodFlags {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly month?: string | undefined;
  readonly date?: string | undefined;
  readonly today?: boolean | undefined;
  readonly yesterday?: boolean | undefined;
  readonly lastMonth?: boolean | undefined;
}

/**
 * The period that the flags say: a pair of days, or one of the short forms. `today` is the day in Dar es Salaam.
 * @throws {Failure} usage: none given, several given, half a pair, the end before the start, days that don't exist
 */
export function resolvePeriod(flags: PeriodFlags, today: Day): Period {
  const ways = waysGiven(flags);
  if (ways.length === 0) throw noPeriod(today);
  if (ways.length > 1) {
    throw new Failure("usage", `The period is said in ${ways.length} ways: ${ways.join(", ")}.`, {
      hint: `Keep one of them, for example ${ways.at(-1)}.`,
    });
  }
  if (flags.month !== undefined) return monthOf(parseMonth(flags.month));
  if (flags.date !== undefined) return oneDay(parseDay(flags.date, "--date"));
  if (flags.today === true) return oneDay(today);
  if (flags.yesterday === true) return oneDay(today.addDays(-1));
  if (flags.lastMonth === true) return monthOf(today.firstOfMonth().addDays(-1));
  return pairOf(flags);
}

/** The period in a person's words: `2026-10-01 to 2026-10-31`, or the day alone. */
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
  return [
    pair.flat().join(" with "),
    flags.month === undefined ? "" : "--month",
    flags.date === undefined ? "" : "--date",
    flags.today === true ? "--today" : "",
    flags.yesterday === true ? "--yesterday" : "",
    flags.lastMonth === true ? "--last-month" : "",
  ].filter((way) => way !== "");
}

function noPeriod(today: Day): Failure {
  const month = today.toString().slice(0, 7);
  const pair = `--start-date ${today.firstOfMonth().toString()} --end-date ${today.toString()}`;
  return new Failure("usage", "No period is given.", {
    hint: `Add --month ${month}, or ${pair}, or one of --date ${today.toString()}, --today, --yesterday, --last-month.`,
  });
}

function pairOf(flags: PeriodFlags): Period {
  const start = endOfPair("--start-date", flags.startDate, "--end-date", flags.endDate);
  const end = endOfPair("--end-date", flags.endDate, "--start-date", flags.startDate);
  const violations = [start, end].filter((part) => part instanceof Failure);
  if (start instanceof Failure || end instanceof Failure) throw combined(violations);
  if (start.compare(end) <= 0) return { startDate: start, endDate: end };
  throw new Failure("usage", `--end-date ${end.toString()} is before --start-date ${start.toString()}.`, {
    hint: `Turn them round: --start-date ${end.toString()} --end-date ${start.toString()}.`,
  });
}

function endOfPair(field: string, text: string | undefined, other: string, otherText = ""): Day | Failure {
  if (text !== undefined) return Day.parse(text) ?? noDay(text, field);
  return new Failure("usage", `${other} is given without ${field}.`, {
    hint: `Add ${field}, for example ${field} ${Day.parse(otherText)?.toString() ?? "2026-10-31"}.`,
  });
}

function parseMonth(text: string): Day {
  const month = Day.parseMonth(text);
  if (month !== undefined) return month;
  throw violation({ field: "--month", text, problem: "is no month", example: "2026-10", rule: "year-month" });
}

function monthOf(day: Day): Period {
  return { startDate: day.firstOfMonth(), endDate: day.lastOfMonth() };
}

function oneDay(day: Day): Period {
  return { startDate: day, endDate: day };
}
