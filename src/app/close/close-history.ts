import type { Cash } from "../../books/cash.ts";
import type { ClosedAccount, ClosedMonth, Closes } from "../../close/closes.ts";
import { closeOf, closesOf, closesOfMonth, hasFiguresOf } from "../../close/closes.ts";
import type { Reopened } from "../../close/late-rows.ts";
import { reopenedMonths } from "../../close/late-rows.ts";
import { otherFigures } from "../../close/since-close.ts";
import type { LedgerChange } from "../../ledger/ledger.ts";
import type { Day } from "../../values/time/day.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { withLedger } from "../ledger/open.ts";
import type { Session } from "../session.ts";
import type { KnownManifests } from "./published-close.ts";
import { readCloses } from "./closes-file.ts";
import { cashIn } from "./findings.ts";
import type { ClosingMonth } from "./month.ts";
import { monthBefore } from "./month.ts";

/** What earlier closes say about a month. */
export interface CloseHistory {
  /** The closes of the month itself, the last one at the end. */
  readonly ofMonth: readonly ClosedMonth[];
  /** The last close of the month before. */
  readonly before: ClosedMonth | undefined;
  /** Earlier months whose rows have changed since they were closed. */
  readonly reopened: readonly Reopened[];
  /** Rows of the month before that differ from those it was closed with, although no change in the ledger says so. */
  readonly otherRows: readonly string[];
  /** All changes of the ledger's rows. */
  readonly changes: readonly LedgerChange[];
}

/**
 * Reads it before the figures: a change that another sync adds meanwhile is better named twice than not at all.
 * @throws {Failure} setup | unavailable
 */
export async function readHistory(session: Session, month: ClosingMonth): Promise<CloseHistory> {
  const { scope, name } = month;
  const { closes, changes } = await withLedger(session, async (ledger) => ({
    closes: await readCloses(session.host, ledger),
    changes: await ledger.changes({ scope }),
  }));
  const earlier = closesOf(closes, scope).filter((close) => close.month < name);
  const reopened = reopenedMonths(earlier, changes);
  return {
    ofMonth: closesOfMonth(closes, scope, name),
    before: closeOf(closes, scope, monthBefore(month.period)),
    reopened,
    otherRows: await otherRowsBefore(session, month, { closes, reopened }),
    changes,
  };
}

async function otherRowsBefore(
  session: Session,
  { scope, period }: ClosingMonth,
  { closes, reopened }: { readonly closes: Closes; readonly reopened: readonly Reopened[] },
): Promise<readonly string[]> {
  const month = monthBefore(period);
  const own = closesOfMonth(closes, scope, month);
  if (own.length === 0 || reopened.some((each) => each.month === month)) return [];
  const cash = await cashIn(session, resolvePeriod({ month }, session.today()));
  return otherFigures(own, cash.map(closedAccount));
}

/**
 * The month before is read again, too, where it was closed: whether it got late rows is one of the proofs. The history
 * reads the closes once more after the sync, as another run may close a month meanwhile.
 */
export async function firstDayToRead({ scope, period }: ClosingMonth, session: Session): Promise<Day> {
  const month = monthBefore(period);
  const closes = await withLedger(session, (ledger) => readCloses(session.host, ledger));
  const isClosed = closeOf(closes, scope, month) !== undefined;
  return isClosed ? resolvePeriod({ month }, session.today()).startDate : period.startDate;
}

/** @param closes those of one month, the last one at the end */
export function manifestsOf(closes: readonly ClosedMonth[]): KnownManifests {
  const last = closes.at(-1);
  const current = closes.filter((close) => last !== undefined && hasFiguresOf(close, last));
  return { all: closes.map(({ manifest }) => manifest), current: current.map(({ manifest }) => manifest) };
}

export function closedAccount({ account, opening, closing, rows }: Cash): ClosedAccount {
  return {
    kind: account.kind,
    account: account.accountNo,
    opening: opening.toString(),
    closing: closing.toString(),
    rows,
  };
}
