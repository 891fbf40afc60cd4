import type { Period, PeriodFlags } from "../values/time/period.ts";
import { describeFuture, describePeriod, resolvePeriod } from "../values/time/period.ts";
import type { Session } from "./session.ts";

/**
 * The period that the flags mean. It is printed on stderr, so that the days of `--last-month` are not in doubt.
 * @throws {Failure} usage
 */
export async function notedPeriod(flags: PeriodFlags, session: Session): Promise<Period> {
  const today = session.today();
  const period = resolvePeriod(flags, today);
  await session.note(`Period: ${describePeriod(period)}`);
  const future = describeFuture(period, today);
  if (future !== undefined) await session.note(future);
  return period;
}
