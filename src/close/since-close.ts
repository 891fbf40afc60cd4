import type { LedgerChange } from "../ledger/ledger.ts";
import { Decimal } from "../values/money/decimal.ts";
import { counted } from "../values/text/counted.ts";
import { dayInDarEsSalaam } from "../values/time/day.ts";
import type { ClosedAccount, ClosedMonth } from "./closes.ts";
import { changedRows, reopenedMonths } from "./late-rows.ts";

/** How a month differs from its last close. */
export interface SinceClose {
  /** Whole lines; empty where nothing differs. */
  readonly lines: readonly string[];
  /** True where the rows of a month that was ever proved have changed. Balances alone change with every earlier month. */
  readonly isChanged: boolean;
}

/**
 * @param closes those of the month, the last one at the end
 * @param accounts the current figures
 */
export function sinceClose(
  closes: readonly ClosedMonth[],
  changes: readonly LedgerChange[],
  accounts: readonly ClosedAccount[],
): SinceClose {
  const last = closes.at(-1);
  if (last === undefined) return { lines: [], isChanged: false };
  const closed = `${last.month} was closed on ${dayInDarEsSalaam(last.closedAt).toString()}`;
  const late = reopenedMonths([last], changes).map(
    (reopened) => `${closed}, and has changed since: ${changedRows(reopened)}.`,
  );
  const nowOf = ({ account, kind }: ClosedAccount) =>
    accounts.find((other) => other.account === account && other.kind === kind);
  const differing = last.accounts.filter((then) => !isAlike(then, nowOf(then)));
  const isMoved = differing.some((then) => !movedAlike(then, nowOf(then)));
  const isKnown = ({ account, kind }: ClosedAccount) =>
    last.accounts.some((then) => then.account === account && then.kind === kind);
  const added = accounts.filter((now) => hasFigures(now) && !isKnown(now));
  return {
    lines: [
      ...late,
      ...differing.map((then) => `${then.account}: ${differenceOf(last, then, nowOf(then))}`),
      ...added.map((now) => `${now.account}: ${closed} without it. Now: ${figuresIn(now)}.`),
    ],
    isChanged: closes.some(({ proved }) => proved) && (late.length > 0 || isMoved || added.length > 0),
  };
}

/**
 * Accounts whose rows of a proved month are others than at its last close, in whole lines. A ledger that was restored
 * from a backup has no changes that say so.
 * @param closes those of the month, the last one at the end
 * @param accounts the current figures
 */
export function otherFigures(closes: readonly ClosedMonth[], accounts: readonly ClosedAccount[]): readonly string[] {
  const last = closes.at(-1);
  if (last === undefined || !closes.some(({ proved }) => proved)) return [];
  return last.accounts.flatMap((then) => {
    const now = accounts.find(({ account, kind }) => account === then.account && kind === then.kind);
    return now === undefined || movedAlike(then, now) ? [] : [`${then.account}: ${differenceOf(last, then, now)}`];
  });
}

function differenceOf(
  { month, closedAt }: Pick<ClosedMonth, "month" | "closedAt">,
  then: ClosedAccount,
  now: ClosedAccount | undefined,
): string {
  const day = dayInDarEsSalaam(closedAt).toString();
  return `${month} was closed on ${day} with ${figuresIn(then)}. Now: ${figuresIn(now)}.`;
}

function isAlike(then: ClosedAccount, now: ClosedAccount | undefined): boolean {
  return now !== undefined && movedAlike(then, now) && amount(then.closing).equals(amount(now.closing));
}

function movedAlike(then: ClosedAccount, now: ClosedAccount | undefined): boolean {
  return now !== undefined && then.rows === now.rows && movedIn(then).equals(movedIn(now));
}

/** True where the account adds something to the figures of the month. */
function hasFigures({ rows, closing }: ClosedAccount): boolean {
  return rows > 0 || amount(closing).sign !== 0;
}

function movedIn({ opening, closing }: ClosedAccount): Decimal {
  return amount(closing).subtract(amount(opening));
}

function amount(text: string): Decimal {
  return Decimal.parse(text) ?? Decimal.zero;
}

function figuresIn(account: ClosedAccount | undefined): string {
  if (account === undefined) return "no such account";
  const { opening, closing, rows } = account;
  return `opening ${grouped(opening)}, closing ${grouped(closing)}, ${counted(rows, "row")}`;
}

/** The same digits, in groups of three: `950,000.00`. */
function grouped(text: string): string {
  const [, decimals = ""] = text.split(".");
  return amount(text).grouped(decimals.length);
}
