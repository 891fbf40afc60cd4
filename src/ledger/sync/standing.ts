import { Decimal } from "../../values/money/decimal.ts";
import type { Day } from "../../values/time/day.ts";
import type { Break, Chain, LedgerAccount } from "../ledger.ts";
import type { SyncContext } from "./service.ts";

/** What the rows say of themselves after a reading, and where the service says that they should lead. */
export interface Standing {
  readonly chain: Chain;
  readonly balances: readonly Decimal[];
  readonly isReached: boolean;
  readonly open: readonly Break[];
}

/** Checks the rows since a day, and reads the balance that they should lead to, unless a list had it already. */
export async function standingOf(
  { writer, service, listed }: SyncContext,
  account: LedgerAccount,
  since: Day,
): Promise<Standing> {
  const chain = await writer.breaksSince(account, since.toString());
  const told = listed === undefined ? [] : [listed];
  const balances = isReached(chain, told) ? told : await service.balances();
  return {
    chain,
    balances,
    isReached: isReached(chain, balances),
    open: chain.breaks.filter(({ accepted }) => accepted === null),
  };
}

/** True where the rows lead to one of the balances that the service gives, or an accepted difference beside it. */
export function isReached(chain: Chain, balances: readonly Decimal[]): boolean {
  const end = endOf(chain)?.add(chain.acceptedEnd?.gap ?? Decimal.zero);
  return isReachedByRows(chain, balances) || balances.some((balance) => end?.equals(balance) === true);
}

/** The same, with no difference accepted. */
export function isReachedByRows(chain: Chain, balances: readonly Decimal[]): boolean {
  const end = endOf(chain);
  return balances.some((balance) => end?.equals(balance) === true);
}

/** Without rows that is nothing. */
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
