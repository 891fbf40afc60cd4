import type { LedgerChange } from "../ledger/ledger.ts";
import type { ClosedMonth } from "./closes.ts";

/** A closed month in which rows came late, changed or vanished. */
export interface Reopened {
  readonly month: string;
  readonly changes: readonly LedgerChange[];
}

/**
 * The closed months that have changed since they were closed: those with changes beyond the ones that the close knew.
 * Clocks of hosts differ, so a change's time decides only where this isn't the ledger that the close knew.
 */
export function reopenedMonths(closes: readonly ClosedMonth[], changes: readonly LedgerChange[]): readonly Reopened[] {
  return closes.flatMap((close) => {
    const { month, closedAt, changes: known = Number.POSITIVE_INFINITY } = close;
    const all = changesOf(month, changes);
    const isBehind = isOfLedger(close, all) ? () => false : ({ seenAt }: LedgerChange) => seenAt > closedAt;
    const own = all.filter((change, index) => index >= known || isBehind(change));
    return own.length === 0 ? [] : [{ month, changes: own }];
  });
}

/** True where the changes that the close knew are the first ones here. */
function isOfLedger({ changes = 0, lastChangeAt }: ClosedMonth, all: readonly LedgerChange[]): boolean {
  return lastChangeAt !== undefined && all[changes - 1]?.seenAt === lastChangeAt;
}

/** The changes of rows that were or are in the month. */
export function changesOf(month: string, changes: readonly LedgerChange[]): readonly LedgerChange[] {
  const isIn = (day: string) => day.startsWith(`${month}-`);
  return changes.filter(({ day, countedDay }) => isIn(day) || (countedDay !== null && isIn(countedDay)));
}

/** `The closed month 2026-09 has changed: 9000112233 L came late.` */
export function reopenedWords(reopened: Reopened): string {
  return `The closed month ${reopened.month} has changed: ${changedRows(reopened)}.`;
}

/** `9000112233 L came late; 9000112233 M vanished`. */
export function changedRows({ changes }: Reopened): string {
  return changes
    .map(({ account, kind, reference }) => `${account.accountNo} ${reference} ${kindWords[kind]}`)
    .join("; ");
}

const kindWords = { late: "came late", changed: "changed", vanished: "vanished" } as const;
