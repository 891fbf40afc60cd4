import { merchantSource } from "../statements/statement-source.ts";
import { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import { daysAt } from "../../values/time/service-clock.ts";
import type { Session } from "../session.ts";
import type { ServiceAccount } from "./ledger-accounts.ts";

/**
 * Today by this machine's clock or by the service's, whichever is behind: a later day has not begun by one of them, and
 * its rows cannot be known. A person gets a note where this machine's clock is ahead.
 */
export function serviceDay(session: Session): Day {
  const { earliest } = daysAt(session.host.clock.now(), session.clockWatch.clock.spread);
  if (earliest.compare(session.today()) !== 0)
    session.clockWatch.watch("The ledger is read to the day of the clock that is behind.");
  return earliest;
}

/**
 * The words before the command that reads the missing days: where the service's clock was behind, the last sync left
 * them out as future days.
 */
export function readFirst(wasServiceBehind: boolean): string {
  return wasServiceBehind
    ? "At the last sync, they were still to come by the service's clock. Set the clocks by the network, and read them then"
    : "Read them first";
}

/**
 * Has the service answer once before a period is chosen, so that its clock is known. The list of wallets has done that
 * already; merchant accounts have no list. An account that cannot be read is reported in its turn.
 */
export async function learnClock(session: Session, accounts: readonly ServiceAccount[]): Promise<void> {
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
