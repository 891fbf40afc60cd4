import { Failure } from "../../values/failure.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import type { AccountStatements } from "./account-statements.ts";

/** The balance of an account in a period without rows; undefined where the service does not give it. */
export async function unchangedBalance(
  period: Period,
  account: AccountStatements,
  session: Session,
): Promise<Decimal | undefined> {
  const { openingOf } = await import("../../statements/opening.ts");
  const later = periodAfter(period.endDate, session.today());
  try {
    const opening = later && (await openingOf(await account.read(later), account.shape, later));
    return opening ?? (await account.facts()).balance;
  } catch (error) {
    if (error instanceof Failure && (error.ending === "refused" || error.ending === "unavailable")) return undefined;
    throw error;
  }
}

/** The days from the one after `day` to today; undefined where that day is not over. */
export function periodAfter(day: Day, today: Day): Period | undefined {
  return day.compare(today) < 0 ? { startDate: day.addDays(1), endDate: today } : undefined;
}
