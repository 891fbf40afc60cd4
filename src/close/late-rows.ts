import type { LedgerChange } from "../ledger/ledger.ts";
import type { ClosedMonth } from "./closes.ts";

/** A closed month in which rows came late, changed or vanished. */
export interface Reopened {
  readonly month: string;
  readonly changes: readonly LedgerChange[];
}

/** The closed months that are no longer what they were when they were closed. */
export function reopenedMonths(closes: readonly ClosedMonth[], changes: readonly LedgerChange[]): readonly Reopened[] {
  return closes.flatMap(({ month, closedAt }) => {
    const own = changes.filter(({ day, seenAt }) => day.startsWith(`${month}-`) && seenAt > closedAt);
    return own.length === 0 ? [] : [{ month, changes: own }];
  });
}

/** `2026-09: 1 late row (9000112233 L)`. */
export function reopenedWords({ month, changes }: Reopened): string {
  const rows = changes.map(({ account, kind, reference }) => `${account.accountNo} ${reference} ${kindWords[kind]}`);
  return `The closed month ${month} has changed: ${rows.join("; ")}.`;
}

const kindWords = { late: "came late", changed: "changed", vanished: "vanished" } as const;
