import type { Day } from "../../../values/time/day.ts";
import type { Period } from "../../../values/time/period.ts";
import { noDay } from "./row-store.ts";

/** The days that are compared: those of the period count, those around it can only match. */
export class DateWindow {
  readonly period: Period;
  readonly windowDays: number;

  constructor(period: Period, windowDays: number) {
    this.period = period;
    this.windowDays = windowDays;
  }

  /** True for the days of the period, as days since 1970-01-01. */
  counts(day: number): boolean {
    return day >= this.period.startDate.serial && day <= this.period.endDate.serial;
  }

  /** -1 for days before the period, 0 for its own and for what has no day, 1 for days after it. */
  sideOf(day: number): -1 | 0 | 1 {
    if (day > this.period.endDate.serial) return 1;
    return day !== noDay && day < this.period.startDate.serial ? -1 : 0;
  }

  /** True for the last days of the period: their bookings can be in the statement after it. */
  isOfLastDays(day: number): boolean {
    return this.counts(day) && day > this.period.endDate.serial - this.windowDays;
  }

  /** True for days of the period and around it. */
  covers(day: number): boolean {
    const { startDate, endDate } = this.period;
    return day >= startDate.serial - this.windowDays && day <= endDate.serial + this.windowDays;
  }

  /**
   * The days to request from the service: none after today, unless the period itself ends later.
   * @throws {Failure} usage: a day beyond the calendar
   */
  asked(today: Day): Period {
    const { startDate, endDate } = this.period;
    const wanted = endDate.addDays(this.windowDays);
    const latest = wanted.compare(today) <= 0 ? wanted : today;
    return {
      startDate: startDate.addDays(-this.windowDays),
      endDate: latest.compare(endDate) > 0 ? latest : endDate,
    };
  }
}
