import { Failure } from "../failure.ts";
import { violation } from "../violation.ts";

const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const monthForm = /^\d{4}-\d{2}$/;
const meanDaysPerYear = 365.2425;
const dayMs = 86_400_000;
/** Africa/Dar_es_Salaam: three hours east of UTC, all year. */
const darEsSalaamOffsetMs = 3 * 3_600_000;
const firstSerial = serialOf(1, 1, 1);
const lastSerial = serialOf(9999, 12, 31);

/**
 * A calendar day, 0001-01-01 to 9999-12-31, without a time or zone, as in a statement's period. No time zone can shift
 * it to another day.
 */
export class Day {
  /** Days since 1970-01-01. */
  readonly serial: number;

  /** @throws {Failure} usage: before year 1 or after year 9999 */
  constructor(serial: number) {
    if (!(serial >= firstSerial && serial <= lastSerial && Number.isInteger(serial))) {
      throw new Failure("usage", "A day was asked for that is not between 0001-01-01 and 9999-12-31.", {
        hint: "Choose days within the calendar.",
      });
    }
    this.serial = serial;
  }

  /** Reads `YYYY-MM-DD`; undefined for other forms and for days that don't exist (2026-02-30). */
  static parse(text: string): Day | undefined {
    if (!dayForm.test(text)) return undefined;
    return dayOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));
  }

  /** Reads `YYYY-MM` as the first day of that month. */
  static parseMonth(text: string): Day | undefined {
    return monthForm.test(text) ? Day.parse(`${text}-01`) : undefined;
  }

  /** @throws {Failure} usage: out of the calendar */
  addDays(days: number): Day {
    return new Day(this.serial + days);
  }

  /** The day `days` later, or the calendar's first or last day where that is out of range. */
  towards(days: number): Day {
    return new Day(Math.min(Math.max(this.serial + days, firstSerial), lastSerial));
  }

  /** How many days later the other day is; negative where it is earlier. */
  daysUntil(other: Day): number {
    return other.serial - this.serial;
  }

  compare(other: Day): -1 | 0 | 1 {
    return this.serial < other.serial ? -1 : this.serial > other.serial ? 1 : 0;
  }

  firstOfMonth(): Day {
    const { year, month } = dateOf(this.serial);
    return new Day(serialOf(year, month, 1));
  }

  lastOfMonth(): Day {
    const { year, month } = dateOf(this.serial);
    return new Day(serialOf(year, month, daysInMonth(year, month)));
  }

  /** `YYYY-MM-DD`. Days in this form sort as text. */
  toString(): string {
    const { year, month, date } = dateOf(this.serial);
    return `${digits(year, 4)}-${digits(month, 2)}-${digits(date, 2)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/**
 * The day in Dar es Salaam at that instant: what `today` means to the service.
 * @throws {Failure} usage: out of the calendar
 */
export function dayInDarEsSalaam(epochMs: number): Day {
  return new Day(Math.floor((epochMs + darEsSalaamOffsetMs) / dayMs));
}

/** The moment at which the day begins in Dar es Salaam, milliseconds since 1970 UTC. */
export function startOfDayInDarEsSalaam(day: Day): number {
  return day.serial * dayMs - darEsSalaamOffsetMs;
}

/** Milliseconds since midnight in Dar es Salaam at that instant. */
export function msOfDayInDarEsSalaam(epochMs: number): number {
  return (((epochMs + darEsSalaamOffsetMs) % dayMs) + dayMs) % dayMs;
}

/**
 * A day that a person typed.
 * @throws {Failure} usage
 */
export function parseDay(text: string, field: string): Day {
  const day = Day.parse(text);
  if (day === undefined) throw noDay(text, field);
  return day;
}

/** The failure of a text that isn't a valid day. */
export function noDay(text: string, field: string): Failure {
  return violation({
    field,
    text,
    problem: "isn't a valid calendar day",
    example: "2026-10-31",
    rule: "year-month-day",
  });
}

function dayOf(year: number, month: number, date: number): Day | undefined {
  const exists = year >= 1 && month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month);
  return exists ? new Day(serialOf(year, month, date)) : undefined;
}

function serialOf(year: number, month: number, date: number): number {
  let days = daysBeforeYear(year) + date - 1;
  for (let earlier = 1; earlier < month; earlier++) days += daysInMonth(year, earlier);
  return days - daysBeforeYear(1970);
}

function dateOf(serial: number): { year: number; month: number; date: number } {
  const days = serial + daysBeforeYear(1970);
  const guess = Math.floor(days / meanDaysPerYear) + 1;
  const year = daysBeforeYear(guess) > days ? guess - 1 : daysBeforeYear(guess + 1) <= days ? guess + 1 : guess;
  let date = days - daysBeforeYear(year) + 1;
  let month = 1;
  for (; date > daysInMonth(year, month); month++) date -= daysInMonth(year, month);
  return { year, month, date };
}

/** Days from 0001-01-01 to 1 January of that year. */
function daysBeforeYear(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return daysBeforeYear(year + 1) - daysBeforeYear(year) - 337;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function digits(number: number, width: number): string {
  return number.toString().padStart(width, "0");
}
