import type { LedgerAccount } from "../../ledger/ledger.ts";
import { missingDays } from "../../ledger/missing-days.ts";
import { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { keptScope } from "../ledger/kept-scope.ts";
import { withLedger } from "../ledger/open.ts";
import { serviceDay } from "../ledger/service-day.ts";
import { syncLedger } from "../ledger/sync.ts";
import type { Session } from "../session.ts";

/**
 * Reads the whole month of every account, whatever the ledger has of it: late rows that cancel each other out change no
 * balance, so a sync of new rows would miss them.
 * @param from the first day to read: that of the month, or an earlier one
 * @throws {Failure} unavailable where an account cannot be read | setup | refused
 */
export async function syncMonth(session: Session, period: Period, from: Day): Promise<void> {
  const { startDate } = period;
  await syncLedger(session, { named: [], startDate: from });
  const [left] = accountsLacking(await heldAccounts(session), period, session.today());
  if (left === undefined) return;
  if (serviceDay(session).compare(period.endDate) <= 0)
    throw new Failure(
      "unavailable",
      `By the service's clock, the month has not ended yet: the rows of ${left.accountNo} could not be read for the whole month.`,
      { hint: "Set the clocks by the network, and close the month when it has ended by both." },
    );
  throw new Failure("unavailable", `The rows of ${left.accountNo} could not be read for the whole month.`, {
    hint:
      left.closure === null
        ? `Read them first: partner ledger sync ${left.accountNo} --start-date ${startDate.toString()}`
        : "The account is closed: the service gives these days no longer. To see the days that the ledger holds: partner ledger status",
  });
}

/** Those of the accounts whose days of the period the ledger does not hold whole. */
export function accountsLacking(held: readonly LedgerAccount[], period: Period, today: Day): readonly LedgerAccount[] {
  return held.filter((account) => missingDays(account, period, today).length > 0);
}

export async function heldAccounts(session: Session): Promise<readonly LedgerAccount[]> {
  return withLedger(session, async (ledger) => ledger.accounts(await keptScope(session, ledger)));
}
