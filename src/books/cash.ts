import { acceptedEndOf } from "../ledger/accepted-gaps.ts";
import type { AcceptedGap, Break, Chain, Ledger, LedgerAccount } from "../ledger/ledger.ts";
import { isLiveReached } from "../ledger/sync/standing.ts";
import { Decimal } from "../values/money/decimal.ts";
import { Day } from "../values/time/day.ts";
import type { Scope } from "./booked-row.ts";
import { rowsOf } from "./booked-row.ts";
import type { Interval } from "./intervals.ts";
import { intervalOf, intervalsFrom } from "./intervals.ts";

/**
 * What an account held and what moved; `opening + in − out − fees = closing` where the statement adds up, apart from
 * accepted differences.
 */
export interface Cash {
  readonly account: LedgerAccount;
  /** Empty for the whole period. */
  readonly interval: string;
  readonly opening: Decimal;
  /** Sum of credits, refunded fees excluded. */
  readonly in: Decimal;
  /** Sum of debits without sign, fees excluded. */
  readonly out: Decimal;
  /** Without sign: what fee rows took, less what they gave back. */
  readonly fees: Decimal;
  /** The balance after the last row. */
  readonly closing: Decimal;
  readonly rows: number;
  readonly addsUp: boolean;
  /**
   * True where rows after the period continue its balances, or its rows lead to the service's balance at the last sync:
   * otherwise, rows after the last one are missing.
   */
  readonly isReached: boolean;
  /** Accepted differences at its rows, and after the very last row; oldest first. */
  readonly accepted: readonly AcceptedGap[];
  /** The accepted difference before its first row: the opening differs by it from the balance before. */
  readonly acceptedBefore: Decimal;
}

interface Sums {
  opening: Decimal | undefined;
  in: Decimal;
  out: Decimal;
  fees: Decimal;
  closing: Decimal | undefined;
  rows: number;
  /** True where a balance doesn't follow and that was not accepted: two such gaps could cancel out. */
  isBroken: boolean;
  readonly accepted: AcceptedGap[];
  acceptedBefore: Decimal;
  /** The accepted differences between its rows. */
  acceptedWithin: Decimal;
}

/** The cash of every account, as a whole or by interval; an interval without rows keeps its balance. */
export async function cashOf(ledger: Ledger, scope: Scope, by: Interval | undefined): Promise<readonly Cash[]> {
  const cash: Cash[] = [];
  for (const account of scope.accounts) {
    const chain = await ledger.chain(account, scope.asOf);
    const sums = await sumsOf(ledger, account, chain, { scope, by });
    const { isReached: reached, gap } = await endIn(ledger, account, chain, scope);
    const behind = [...(gap?.accepted ? [gap.accepted] : []), ...acceptedEndOf(chain, scope.endDay)];
    const isOpen = gap?.accepted === null;
    let balance = await balanceBefore(ledger, account, scope);
    const names = by === undefined ? [""] : intervalsFrom(scope.startDay, scope.endDay, by);
    for (const interval of names) {
      const { isBroken, acceptedWithin, ...own } = sums.get(interval) ?? emptySums();
      const opening = own.opening ?? balance ?? Decimal.zero;
      const closing = own.closing ?? opening;
      const isContinued = balance === undefined || balance.add(own.acceptedBefore).equals(opening);
      const expected = opening.add(own.in).subtract(own.out).subtract(own.fees).add(acceptedWithin);
      const isLast = interval === names.at(-1);
      const addsUp = isContinued && !isBroken && !(isLast && isOpen) && expected.equals(closing);
      const accepted = isLast ? [...own.accepted, ...behind] : own.accepted;
      cash.push({ account, interval, ...own, opening, closing, addsUp, isReached: reached, accepted });
      balance = closing;
    }
  }
  return cash;
}

async function sumsOf(
  ledger: Ledger,
  account: LedgerAccount,
  { breaks }: Chain,
  { scope, by }: { scope: Scope; by: Interval | undefined },
): Promise<ReadonlyMap<string, Sums>> {
  const all = new Map<string, Sums>();
  const breaksAt = new Map(breaks.map((each) => [each.number, each]));
  for await (const { number, facts, change } of rowsOf(ledger, { ...scope, accounts: [account] })) {
    const name = by === undefined ? "" : intervalOf(facts.day, by);
    const sums = all.get(name) ?? emptySums();
    if (sums.rows === 0) all.set(name, sums);
    const found = breaksAt.get(number);
    if (found !== undefined) addBreak(sums, found);
    sums.rows += 1;
    if (facts.isFee) sums.fees = sums.fees.subtract(change);
    else if (change.sign < 0) sums.out = sums.out.subtract(change);
    else sums.in = sums.in.add(change);
    if (facts.balance === undefined) continue;
    sums.opening ??= facts.balance.subtract(change);
    sums.closing = facts.balance;
  }
  return all;
}

/** Records that the balance doesn't follow at the next row. */
function addBreak(sums: Sums, { accepted }: Break): void {
  if (accepted === null) {
    sums.isBroken = true;
    return;
  }
  sums.accepted.push(accepted);
  if (sums.rows === 0) sums.acceptedBefore = accepted.gap;
  else sums.acceptedWithin = sums.acceptedWithin.add(accepted.gap);
}

interface End {
  readonly isReached: boolean;
  /** The break at the first row after the period: rows missing there may be of its last days. */
  readonly gap: Break | undefined;
}

/**
 * How the period ends. That the last sync's balance was not reached doesn't matter where later rows continue the
 * period.
 */
async function endIn(ledger: Ledger, account: LedgerAccount, chain: Chain, scope: Scope): Promise<End> {
  const { endDay, asOf } = scope;
  const reached = isLiveReached(account, chain);
  const gaps = chain.breaks.filter(({ sinceDay, day }) => sinceDay <= endDay && day > endDay);
  if (reached && gaps.length === 0) return { isReached: true, gap: undefined };
  const [next] = await ledger.days(account, { startDay: Day.parse(endDay)?.addDays(1).toString(), asOf });
  return { isReached: reached || next !== undefined, gap: gaps.find(({ day }) => day === next?.day) };
}

/** The balance before the first day; undefined where no row shows it. */
async function balanceBefore(ledger: Ledger, account: LedgerAccount, scope: Scope): Promise<Decimal | undefined> {
  const { startDay, asOf } = scope;
  const before = Day.parse(startDay)?.addDays(-1).toString();
  const earlier = await ledger.days(account, { endDay: before, asOf });
  const last = earlier.findLast(({ closing }) => closing !== null)?.closing;
  if (last !== undefined && last !== null) return last;
  const later = await ledger.days(account, { startDay, asOf });
  return later.find(({ opening }) => opening !== null)?.opening ?? undefined;
}

function emptySums(): Sums {
  const { zero } = Decimal;
  return {
    opening: undefined,
    in: zero,
    out: zero,
    fees: zero,
    closing: undefined,
    rows: 0,
    isBroken: false,
    accepted: [],
    acceptedBefore: zero,
    acceptedWithin: zero,
  };
}
