import type { LedgerChange } from "../ledger/ledger.ts";
import type { ClosedMonth } from "./closes.ts";

/** A closed month in which rows came late, changed or vanished. */
export interface Reopened {
  readonly month: string;
  readonly changes: readonly LedgerChange[];
}

/**
 * The closed months that are no longer what they were when they were closed. A change counts when it is behind those
 * that the close knew: a clock may have been set back since, or be that of another host. Where the ledger was made anew
 * since, its time says so.
 */
export function reopenedMonths(closes: readonly ClosedMonth[], changes: readonly LedgerChange[]): readonly Reopened[] {
  return closes.flatMap(({ month, closedAt, changes: known }) => {
    const own = changesOf(month, changes).filter(
      ({ seenAt }, index) => seenAt > closedAt || (known !== undefined && index >= known),
    );
    return own.length === 0 ? [] : [{ month, changes: own }];
  });
}

/** The changes of a month's rows: of those that were in it, and of those that are. */
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
