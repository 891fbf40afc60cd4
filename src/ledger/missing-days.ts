import type { Day } from "../values/time/day.ts";
import { dayInDarEsSalaam, parseDay } from "../values/time/day.ts";
import type { Period } from "../values/time/period.ts";
import { describePeriod } from "../values/time/period.ts";
import type { LedgerAccount } from "./ledger.ts";

/**
 * The days of a period that the ledger lacks: those before its first day, and those after the last reading, unless the
 * account is closed. A day that was not over when it was read counts as missing, unless it is today. Future days never
 * do.
 * @param today the day in Dar es Salaam
 */
export function missingDays(
  account: Pick<LedgerAccount, "firstDay" | "lastDay" | "closure"> | undefined,
  { startDate, endDate }: Period,
  today: Day,
): readonly Period[] {
  const end = endDate.compare(today) <= 0 ? endDate : today;
  const whole = startDate.compare(end) <= 0 ? [{ startDate, endDate: end }] : [];
  const { firstDay = null, lastDay = null, closure = null } = account ?? {};
  if (closure !== null) return firstDay === null ? [] : whole.flatMap((period) => before(period, firstDay));
  if (firstDay === null || lastDay === null) return whole;
  // A day that was not over when it was read is missing itself.
  const isOver = lastDay < today.toString();
  return whole.flatMap((period) => [...before(period, firstDay), ...(isOver ? since(period, lastDay) : [])]);
}

/** True where the last sync left some of these days because the service's clock was days behind this machine's. */
export function wasServiceBehind(
  { lastDay, syncedAt }: Pick<LedgerAccount, "lastDay" | "syncedAt">,
  missing: readonly Period[],
): boolean {
  if (lastDay === null || syncedAt === null || lastDay >= dayInDarEsSalaam(syncedAt).toString()) return false;
  return missing.some(({ endDate }) => endDate.toString() >= lastDay);
}

/** As text for people. */
export function describeDays(periods: readonly Period[]): string {
  return periods.map((period) => describePeriod(period)).join(" and ");
}

function before({ startDate, endDate }: Period, first: string): Period[] {
  const firstDay = parseDay(first, "the first day");
  if (startDate.compare(firstDay) >= 0) return [];
  return [{ startDate, endDate: earliest(endDate, firstDay.addDays(-1)) }];
}

/** The days of the period from that day on. */
function since({ startDate, endDate }: Period, first: string): Period[] {
  const firstDay = parseDay(first, "the last day");
  if (endDate.compare(firstDay) < 0) return [];
  return [{ startDate: startDate.compare(firstDay) >= 0 ? startDate : firstDay, endDate }];
}

function earliest(one: Day, other: Day): Day {
  return one.compare(other) <= 0 ? one : other;
}
