import { onWhoseWord } from "./accepted-gaps.ts";
import type { LedgerAccount } from "./ledger.ts";

/**
 * `the account is closed. The ledger holds it to 2026-10-06, and later rows cannot be read. asha accepted this on …`
 * @param endDay `YYYY-MM-DD`: the last day that is of interest; default: every day
 * @returns empty where no closure was accepted, or every row up to that day was read
 */
export function closureWords(
  { closure, lastDay }: Pick<LedgerAccount, "closure" | "lastDay">,
  endDay?: string,
): readonly string[] {
  if (closure === null || (endDay !== undefined && lastDay !== null && endDay < lastDay)) return [];
  const held = lastDay === null ? "no whole day of it" : `it to ${lastDay}`;
  return [`the account is closed. The ledger holds ${held}, and later rows cannot be read. ${onWhoseWord(closure)}`];
}

/** The accounts that syncs still read; all where every one is closed. */
export function syncedAccounts(accounts: readonly LedgerAccount[]): readonly LedgerAccount[] {
  const open = accounts.filter(({ closure }) => closure === null);
  return open.length === 0 ? accounts : open;
}
