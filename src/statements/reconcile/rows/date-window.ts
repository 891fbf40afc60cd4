import type { Day } from "../../../values/time/day.ts";
import type { Period } from "../../../values/time/period.ts";

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

  /** True for those around it, too. */
  covers(day: number): boolean {
    const { startDate, endDate } = this.period;
    return day >= startDate.serial - this.windowDays && day <= endDate.serial + this.windowDays;
  }

  /**
   * What is asked of the service: nothing beyond today, unless the period itself goes there.
   * @throws {Failure} usage: out of the calendar
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
