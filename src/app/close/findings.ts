import type { Scope } from "../../books/booked-row.ts";
import type { Cash } from "../../books/cash.ts";
import { cashOf } from "../../books/cash.ts";
import type { Fee } from "../../books/fees.ts";
import { feesOf } from "../../books/fees.ts";
import type { Flow } from "../../books/flow.ts";
import { flowOf } from "../../books/flow.ts";
import { Kinds } from "../../books/kinds.ts";
import type { OpenItem } from "../../books/open-items.ts";
import { openItems } from "../../books/open-items.ts";
import type { AlteredRow, Chain, LedgerAccount } from "../../ledger/ledger.ts";
import { startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { orderKinds } from "../books/order-kinds.ts";
import { keptScope } from "../ledger/kept-scope.ts";
import { withLedger } from "../ledger/open.ts";
import type { Session } from "../session.ts";
import { undatedLines } from "./undated-rows.ts";

/** What the ledger says about a month. */
export interface MonthFindings {
  readonly accounts: readonly LedgerAccount[];
  readonly cash: readonly Cash[];
  /** Day by day. */
  readonly flow: readonly Flow[];
  readonly fees: readonly Fee[];
  /** As of the month's end. */
  readonly open: readonly OpenItem[];
  /** By the account's number inside of the ledger. */
  readonly chains: ReadonlyMap<number, Chain>;
  /** Rows that are not what was stored, by the same number. */
  readonly altered: ReadonlyMap<number, AlteredRow>;
  /** Rows without a value date at the month's edges, in words. */
  readonly undated: readonly string[];
}

/**
 * What each account opened and closed with, and its rows, in a month.
 * @throws {Failure} setup | unavailable
 */
export async function cashIn(session: Session, { startDate, endDate }: Period): Promise<readonly Cash[]> {
  return withLedger(session, async (ledger) => {
    const accounts = await ledger.accounts(await keptScope(session, ledger));
    const rows = { accounts, startDay: startDate.toString(), endDay: endDate.toString(), asOf: undefined };
    return cashOf(ledger, rows, undefined);
  });
}

/**
 * Reads all figures of a month, and whether the rows follow from each other.
 * @throws {Failure} setup | unavailable
 */
export async function findingsOf(session: Session, period: Period): Promise<MonthFindings> {
  const { startDate, endDate } = period;
  const account = await session.accountScope();
  const orders = await orderKinds(session);
  const journal = await session.journal("read");
  return withLedger(session, async (ledger) => {
    const accounts = await ledger.accounts(await keptScope(session, ledger));
    const rows: Scope = { accounts, startDay: startDate.toString(), endDay: endDate.toString(), asOf: undefined };
    const kinds = await Kinds.of(ledger, rows, orders);
    const chains = new Map<number, Chain>();
    const altered = new Map<number, AlteredRow>();
    for (const each of accounts) {
      chains.set(each.number, await ledger.chain(each));
      const row = await ledger.altered(each);
      if (row !== undefined) altered.set(each.number, row);
    }
    // Ages are as of the month's end, so that a repeated close has the same figures.
    const nowMs = startOfDayInDarEsSalaam(endDate.addDays(1)) - 1;
    return {
      accounts,
      cash: await cashOf(ledger, rows, undefined),
      flow: await flowOf(ledger, rows, kinds, "day"),
      fees: await feesOf(ledger, rows, kinds, undefined),
      open: await openItems({ journal, ledger, account, rows, kinds, nowMs, untilMs: nowMs, bookedUntil: rows.endDay }),
      chains,
      altered,
      undated: await undatedLines(ledger, accounts, period),
    };
  });
}
