import type { Cash } from "../../books/cash.ts";
import type { ClosedAccount, ClosedMonth, Closes } from "../../close/closes.ts";
import { closesOf, closesOfMonth, hasFiguresOf } from "../../close/closes.ts";
import type { Reopened } from "../../close/late-rows.ts";
import { reopenedMonths } from "../../close/late-rows.ts";
import { otherFigures } from "../../close/since-close.ts";
import type { LedgerChange } from "../../ledger/ledger.ts";
import type { Day } from "../../values/time/day.ts";
import { parseDay } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { withLedger } from "../ledger/open.ts";
import type { Session } from "../session.ts";
import type { KnownManifests } from "./published-close.ts";
import { accountsLacking, heldAccounts } from "./close-sync.ts";
import { readCloses } from "./closes-file.ts";
import { cashIn } from "./findings.ts";
import type { ClosingMonth } from "./month.ts";
import { monthBefore } from "./month.ts";

/** What earlier closes say about a month. */
export interface CloseHistory {
  /** The closes of the month itself, the last one at the end. */
  readonly ofMonth: readonly ClosedMonth[];
  /** The last close of an earlier month: that of the month before, unless that was never closed. */
  readonly before: ClosedMonth | undefined;
  /** What each account held and moved in the months between that close and this month; empty where there are none. */
  readonly between: readonly Cash[];
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
  const between = monthsBetween(earlier.at(-1), month);
  return {
    ofMonth: closesOfMonth(closes, scope, name),
    before: earlier.at(-1),
    between: between === undefined ? [] : await cashIn(session, between),
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

/** The months between a close and a later month that were never closed; undefined where it is the month before. */
function monthsBetween(before: ClosedMonth | undefined, { period }: ClosingMonth): Period | undefined {
  if (before === undefined || before.month === monthBefore(period)) return undefined;
  const startDate = parseDay(`${before.month}-01`, "the closed month").lastOfMonth().addDays(1);
  return { startDate, endDate: period.startDate.addDays(-1) };
}

/**
 * The month before is read again, too, where it was closed: whether it got late rows is one of the proofs. Months that
 * were left out are read where the ledger lacks them. The history reads the closes once more after the sync, as another
 * run may close a month meanwhile.
 */
export async function firstDayToRead(month: ClosingMonth, session: Session): Promise<Day> {
  const { scope, name, period } = month;
  const closes = await withLedger(session, (ledger) => readCloses(session.host, ledger));
  const before = closesOf(closes, scope).findLast((close) => close.month < name);
  if (before === undefined) return period.startDate;
  const between = monthsBetween(before, month);
  if (between === undefined) return resolvePeriod({ month: before.month }, session.today()).startDate;
  const accounts = await heldAccounts(session);
  const isHeld = accounts.length > 0 && accountsLacking(accounts, between, session.today()).length === 0;
  return isHeld ? period.startDate : between.startDate;
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
