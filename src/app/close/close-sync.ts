import type { LedgerAccount } from "../../ledger/ledger.ts";
import { missingDays } from "../../ledger/missing-days.ts";
import { Failure } from "../../values/failure.ts";
import type { Period } from "../../values/time/period.ts";
import { withLedger } from "../ledger/open.ts";
import { syncLedger } from "../ledger/sync.ts";
import type { Session } from "../session.ts";

/**
 * Reads new rows of every account, and the whole month where the ledger lacks days of it.
 * @throws {Failure} unavailable where an account cannot be read | setup | refused
 */
export async function syncMonth(session: Session, period: Period): Promise<void> {
  const { startDate } = period;
  const isEmpty = (await heldAccounts(session)).length === 0;
  await syncLedger(session, { named: [], startDate: isEmpty ? startDate : undefined });
  const lacking = await accountsLacking(session, period);
  if (lacking.length === 0) return;
  await syncLedger(session, { named: lacking, startDate });
  const [left] = await accountsLacking(session, period);
  if (left !== undefined)
    throw new Failure("unavailable", `The rows of ${left} could not be read for the whole month.`, {
      hint: `Read them first: partner ledger sync ${left} --start-date ${startDate.toString()}`,
    });
}

async function accountsLacking(session: Session, period: Period): Promise<readonly string[]> {
  const held = await heldAccounts(session);
  const today = session.today();
  return held.filter((account) => missingDays(account, period, today).length > 0).map(({ accountNo }) => accountNo);
}

async function heldAccounts(session: Session): Promise<readonly LedgerAccount[]> {
  const scope = await session.accountScope();
  return withLedger(session, (ledger) => ledger.accounts(scope));
}
