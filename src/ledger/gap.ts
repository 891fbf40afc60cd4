import { Decimal } from "../values/money/decimal.ts";
import type { Break, LedgerAccount } from "./ledger.ts";

/** By how much a balance jumps; nothing where the service does not say one of the two. */
export function gapOf({ left, found }: Pick<Break, "left" | "found">): Decimal {
  return left === null || found === null ? Decimal.zero : found.subtract(left);
}

/**
 * True where the rows led to the balance that the last sync was given, with no difference accepted. Versions before
 * kept no note that such a difference has lapsed.
 */
export function ledToBalance({ live, isReached }: LedgerAccount, closing: Decimal | null): boolean {
  return isReached && live !== null && closing?.equals(live) === true;
}
