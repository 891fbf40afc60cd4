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
    open: chain.breaks.filter(({ isAccepted }) => !isAccepted),
  };
}

/** True where the rows lead to one of the balances that the service gives; without rows that is nothing. */
export function isReached({ rows, closing, acceptedEnd }: Chain, balances: readonly Decimal[]): boolean {
  const end = rows === 0 ? Decimal.zero : closing;
  if (end === null) return false;
  return balances.some((balance) => balance.equals(end) || balance.equals(end.add(acceptedEnd)));
}

/** True where the balance jumps between the same two amounts. */
export function isSameGap(one: Pick<Break, "left" | "found">, other: Pick<Break, "left" | "found">): boolean {
  return isSameAmount(one.left, other.left) && isSameAmount(one.found, other.found);
}

function isSameAmount(one: Decimal | null, other: Decimal | null): boolean {
  return one === other || (one !== null && other !== null && one.equals(other));
}
