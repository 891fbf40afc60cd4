import { Decimal } from "../values/money/decimal.ts";
import type { Break, LedgerAccount } from "./ledger.ts";

/** By how much a balance jumps; zero where the service gives only one of the two balances. */
export function gapOf({ left, found }: Pick<Break, "left" | "found">): Decimal {
  return left === null || found === null ? Decimal.zero : found.subtract(left);
}

/**
 * True where the rows lead to the balance that the last sync received, without an accepted difference. Earlier versions
 * did not record that such a difference has lapsed.
 */
export function ledToBalance({ live, isReached }: LedgerAccount, closing: Decimal | null): boolean {
  return isReached && live !== null && closing?.equals(live) === true;
}
