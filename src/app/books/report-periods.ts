import { Failure } from "../../values/failure.ts";
import type { Period, PeriodFlags } from "../../values/time/period.ts";
import { describeFuture, describePeriod, shortWaysGiven, wholeMonth } from "../../values/time/period.ts";
import { combined } from "../../values/violation.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import type { ReportFlags, ReportName } from "./report-flags.ts";

/** How far back `report open` looks for money that left without an order. */
const openDays = 31;
const monthsCompared = 2;

/**
 * The days of a report: two months for a comparison, a period for the others. Open items without a period are those of
 * the last days.
 * @throws {Failure} usage
 */
export async function periodsOf(
  session: Session,
  name: ReportName,
  months: readonly string[],
  flags: ReportFlags,
): Promise<readonly Period[]> {
  if (name !== "compare") {
    const isOpen = name === "open" && !saysPeriod(flags);
    return [await notedPeriod(isOpen ? { last: openDays } : flags, session)];
  }
  const periods = monthsOf(months);
  await session.note(`Periods: ${periods.map((period) => describePeriod(period)).join(", and ")}`);
  for (const period of periods) {
    const future = describeFuture(period, session.today());
    if (future !== undefined) await session.note(`${describePeriod(period)}: ${future}`);
  }
  return periods;
}

/**
 * Refuses flags that have no effect on the report.
 * @throws {Failure} usage
 */
export function refuseIdle(name: ReportName, months: readonly string[], flags: ReportFlags, session: Session): void {
  if (name === "compare" && months.length !== monthsCompared)
    throw new Failure("usage", "compare takes two months.", {
      hint: "For example: partner report compare 2026-09 2026-10",
    });
  if (name !== "compare" && months.length > 0)
    throw new Failure("usage", "Months are named with compare only.", {
      hint: "Give the period with --month 2026-10.",
    });
  const idle = [
    name === "compare" && saysPeriod(flags) ? "a period" : "",
    flags.by !== undefined && (name === "compare" || name === "open") ? "--by" : "",
    flags.rows && (name === "compare" || name === "open") ? "--rows" : "",
    flags.rows && flags.chart ? "--chart with --rows" : "",
    flags.chart && !mayHaveChart(session) ? "--chart without a table or a page" : "",
    flags.where !== undefined && session.result.file === "html" ? "--where on a page, which has every row" : "",
  ].filter((word) => word !== "");
  if (idle.length > 0)
    throw new Failure("usage", `The report ${name} has no use for ${idle.join(" and ")}.`, { hint: "Leave it out." });
}

/**
 * @throws {Failure} usage; names each word that isn't a month
 */
function monthsOf(months: readonly string[]): readonly Period[] {
  const violations: Failure[] = [];
  const periods = months.flatMap((month) => {
    try {
      return [wholeMonth(month, "MONTH")];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      violations.push(error);
      return [];
    }
  });
  if (violations.length > 0) throw combined(violations);
  return periods;
}

/** A page always has a chart. */
function mayHaveChart({ format, result }: Session): boolean {
  return result.file === undefined ? format === "table" : result.file === "html";
}

/** True where a person named the days, and they are not the default ones. */
export function saysPeriod(flags: PeriodFlags): boolean {
  return flags.startDate !== undefined || flags.endDate !== undefined || shortWaysGiven(flags).length > 0;
}
