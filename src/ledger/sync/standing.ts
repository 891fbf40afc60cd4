import { Decimal } from "../../values/money/decimal.ts";
import type { Day } from "../../values/time/day.ts";
import type { Break, Chain, LedgerAccount } from "../ledger.ts";
import type { SyncContext } from "./service.ts";

/** What the rows prove after a reading, and the balances that they should lead to. */
export interface ChainStanding {
  readonly chain: Chain;
  readonly balances: readonly Decimal[];
  readonly isReached: boolean;
  readonly open: readonly Break[];
}

/** Checks the rows since a day. Asks the service for the balance, unless they lead to the listed one. */
export async function chainStandingOf(
  { writer, service, listed }: SyncContext,
  account: LedgerAccount,
  since: Day,
): Promise<ChainStanding> {
  const chain = await writer.breaksSince(account, since.toString());
  const fromList = listed === undefined ? [] : [listed];
  const balances = isReached(chain, fromList) ? fromList : await service.balances();
  return {
    chain,
    balances,
    isReached: isReached(chain, balances),
    open: chain.breaks.filter(({ accepted }) => accepted === null),
  };
}

/** True where the rows lead to one of the service's balances, with or without the accepted difference. */
export function isReached(chain: Chain, balances: readonly Decimal[]): boolean {
  const end = endOf(chain)?.add(chain.acceptedEnd?.gap ?? Decimal.zero);
  return isReachedByRows(chain, balances) || balances.some((balance) => end?.equals(balance) === true);
}

/** True where the rows lead to the balance that the last sync received, also with what was accepted since. */
export function isLiveReached(account: LedgerAccount, chain: Chain): boolean {
  return account.isReached || isReached(chain, account.live === null ? [] : [account.live]);
}

/** Whether the rows lead to one of the balances, without the accepted difference. */
export function isReachedByRows(chain: Chain, balances: readonly Decimal[]): boolean {
  const end = endOf(chain);
  return balances.some((balance) => end?.equals(balance) === true);
}

/** The balance after the last row: zero without rows. */
function endOf({ rows, closing }: Chain): Decimal | null {
  return rows === 0 ? Decimal.zero : closing;
}

/** True where the balance jumps between the same two amounts. */
export function isSameGap(one: Pick<Break, "left" | "found">, other: Pick<Break, "left" | "found">): boolean {
  return isSameAmount(one.left, other.left) && isSameAmount(one.found, other.found);
}

function isSameAmount(one: Decimal | null, other: Decimal | null): boolean {
  return one === other || (one !== null && other !== null && one.equals(other));
}
