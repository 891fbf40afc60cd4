import { Failure } from "../../values/failure.ts";
import { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { ChainStep } from "./chain.ts";
import { followBalances } from "./chain.ts";
import type { ExportRequest } from "./export-request.ts";
import type { ExportState } from "./export-state.ts";
import type { ExportRow } from "./packed-rows.ts";

type Asked = Pick<ExportRequest, "accountNo" | "startDate" | "endDate" | "today" | "overlapDays">;

/** What a run is about to read. */
export interface RunPeriod extends Period {
  /** True where past months are read in full once more. */
  readonly isMonthsWhole: boolean;
}

/**
 * The days of a first run, from its `--start-date` on.
 * @param known the first day of a restarted export
 * @throws {Failure} usage: no day to start from, or one after the last
 */
export function firstPeriod({ accountNo, startDate, endDate }: Asked, known: string | undefined): Period {
  const start = startDate ?? dayIn(known);
  if (start === undefined)
    throw new Failure("usage", `This is the first export of ${accountNo}: it needs a day to start from.`, {
      hint: `Add --start-date, for example --start-date ${endDate.firstOfMonth().toString()}. Later runs continue on their own.`,
    });
  if (start.compare(endDate) <= 0) return { startDate: start, endDate };
  throw new Failure("usage", `--start-date ${start.toString()} is after ${endDate.toString()}.`, {
    hint: `Start with ${endDate.toString()} or an earlier day.`,
  });
}

/**
 * The days that a later run reads: from the day of the last exported row, less the overlap, to today. The first run in
 * a month also reads the months before it in full: two late rows whose amounts cancel out leave no break.
 */
export function laterPeriod({ endDate, today, overlapDays }: Asked, state: ExportState): RunPeriod {
  const start = dayIn(state.startDate) ?? today;
  const last = dayIn(state.lastDay);
  const overlapped = last === undefined ? start : daysBefore(last, overlapDays);
  const month = monthsFrom(state, today);
  const from = month === undefined ? overlapped : earlier(month, overlapped);
  const startDate = later(from, start);
  const end = state.rows.reduce((day, row) => (row.day > day ? row.day : day), endDate.toString());
  return { startDate, endDate: later(dayIn(end) ?? endDate, startDate), isMonthsWhole: month !== undefined };
}

/**
 * The first day of the first month that was not read in full since it ended, or the day of the first break, where a row
 * may have turned up since; undefined where all months were read. If the clock was fast at that reading, only months
 * before that of the last exported row count as read.
 */
function monthsFrom({ monthsReadOn, lastDay, rows }: ExportState, today: Day): Day | undefined {
  const now = today.toString();
  const readOn = monthsReadOn > now ? (lastDay ?? now) : monthsReadOn;
  if (monthOf(readOn) >= monthOf(now)) return undefined;
  const month = dayIn(readOn)?.firstOfMonth();
  const [first] = followBalances(stepsOf(rows)).gaps;
  const broken = dayIn(first?.after?.row.day);
  return broken !== undefined && month !== undefined ? earlier(broken, month) : month;
}

function* stepsOf(rows: readonly ExportRow[]): Generator<ChainStep> {
  for (const [known, row] of rows.entries()) yield { row, known };
}

/**
 * Twice as many days back from the last exported day, but not before the first day; undefined where that was read
 * already.
 */
export function furtherBack(
  { startDate, endDate }: Period,
  { startDate: first, lastDay }: ExportState,
): Period | undefined {
  const [start, last] = [dayIn(first), dayIn(lastDay)];
  if (start === undefined || last === undefined || startDate.compare(start) <= 0) return undefined;
  const days = Math.max(1, startDate.daysUntil(last)) * 2;
  return { startDate: later(daysBefore(last, days), start), endDate };
}

/**
 * A period with the whole of each past month that has new rows: others may have come late as well, without leaving a
 * break.
 * @returns undefined where all of it was read already
 */
export function wholeMonths(
  { startDate, endDate }: Period,
  state: ExportState,
  newRows: readonly ExportRow[],
  today: Day,
): Period | undefined {
  const now = monthOf(today.toString());
  const over = newRows.filter(({ day }) => day !== "" && monthOf(day) < now).map(({ day }) => day);
  const first = over.reduce((one, other) => (other < one ? other : one), startDate.toString());
  const start = later(dayIn(first)?.firstOfMonth() ?? startDate, dayIn(state.startDate) ?? startDate);
  return over.length > 0 && start.compare(startDate) < 0 ? { startDate: start, endDate } : undefined;
}

/** `2026-10` of a day. */
function monthOf(day: string): string {
  return day.slice(0, 7);
}

function dayIn(text: string | undefined): Day | undefined {
  return text === undefined ? undefined : Day.parse(text);
}

/** Not before the first possible day. */
function daysBefore(day: Day, days: number): Day {
  const first = Day.parse("0001-01-01") ?? day;
  return days > first.daysUntil(day) ? first : day.addDays(-days);
}

function earlier(one: Day, other: Day): Day {
  return one.compare(other) < 0 ? one : other;
}

function later(one: Day, other: Day): Day {
  return one.compare(other) > 0 ? one : other;
}
