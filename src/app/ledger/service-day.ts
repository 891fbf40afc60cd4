import { merchantSource } from "../statements/statement-source.ts";
import { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import { daysAt } from "../../values/time/service-clock.ts";
import type { Session } from "../session.ts";
import type { ServiceAccount } from "./ledger-accounts.ts";

/**
 * Today by this machine's clock or by the service's, whichever is behind: a later day is still to come for one of them,
 * and its rows cannot be known. A person is told where this machine's clock is ahead.
 */
export function serviceDay(session: Session): Day {
  const { earliest } = daysAt(session.host.clock.now(), session.clockWatch.clock.spread);
  if (earliest.compare(session.today()) !== 0)
    session.clockWatch.watch("The ledger is read to the day of the clock that is behind.");
  return earliest;
}

/** What comes before the command that reads the days that are lacking: the last sync may have left them to come. */
export function readFirst(wasServiceBehind: boolean): string {
  return wasServiceBehind
    ? "At the last sync, they were still to come by the service's clock. Set the clocks by the network, and read them then"
    : "Read them first";
}

/**
 * Has the service answer once before a period is chosen, so that its clock is known: the list of wallets does so, and
 * merchant accounts have no list. An account that cannot be read says so when it is its turn.
 */
export async function hearClock(session: Session, accounts: readonly ServiceAccount[]): Promise<void> {
  const [first] = accounts;
  if (
    session.clockWatch.clock.isObserved ||
    first === undefined ||
    accounts.some(({ source }) => source !== merchantSource)
  )
    return;
  try {
    await session.service.read(first.source.balance, { accountNo: first.accountNo });
  } catch (error) {
    if (!(error instanceof Failure) || error.ending === "interrupted") throw error;
  }
}
