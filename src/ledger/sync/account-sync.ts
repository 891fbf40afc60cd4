import type { Day } from "../../values/time/day.ts";
import { parseDay } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { describePeriod } from "../../values/time/period.ts";
import type { Break, LedgerAccount } from "../ledger.ts";
import type { Unfinished } from "../writer.ts";
import { piecesOf, readPiece } from "./pieces.ts";
import type { Pass, SyncContext } from "./service.ts";
import type { ChainStanding } from "./standing.ts";
import { isReachedByRows, isSameGap, chainStandingOf } from "./standing.ts";

/** The last days that were read are read again, as rows can come late. */
const overlapDays = 3;
/** How often the end is read again because the balance moved meanwhile. */
const endReadsMax = 3;
/** How far back an account without rows is searched, in days: its balance has to come from somewhere. */
const emptyMaxDays = 3_660;
/** How far ahead of the clock rows are searched, in days, where the balance shows that some are missing. */
const aheadDays = 3_660;

/** What to read of an account. */
export interface SyncAsked {
  /** Reads again from that day on; default: from where the last sync ended. */
  readonly startDate: Day | undefined;
  /** The day in Dar es Salaam, by the clock that is behind: later days are still to come. */
  readonly today: Day;
}

/** How a sync of an account ended. */
export interface SyncedAccount {
  readonly account: LedgerAccount;
  /** True where the rows follow from each other and lead to the balance that the service gives. */
  readonly isWhole: boolean;
}

/**
 * Reads an account's new rows, and then further back, until its balances follow from each other and lead to the
 * service's current balance.
 * @throws {Failure} setup | refused | unavailable | interrupted
 */
export async function syncAccount(
  context: SyncContext,
  account: LedgerAccount,
  asked: SyncAsked,
): Promise<SyncedAccount> {
  const run = new AccountSync(context, account, asked);
  return run.sync();
}

class AccountSync {
  readonly #context: SyncContext;
  readonly #asked: SyncAsked;
  #account: LedgerAccount;
  #isOpen = false;

  constructor(context: SyncContext, account: LedgerAccount, asked: SyncAsked) {
    this.#context = context;
    this.#account = account;
    this.#asked = asked;
  }

  async sync(): Promise<SyncedAccount> {
    const { writer } = this.#context;
    const unfinished = await writer.unfinished(this.#account);
    const { openDay, unsettledDay } = unfinished;
    // After an interrupted sync, earlier days have not been checked.
    const isKnown = openDay !== null && unsettledDay === null;
    const known = isKnown ? (await writer.breaksSince(this.#account, openDay)).breaks : [];
    this.#isOpen = openDay !== null;
    const period = await this.#period(unfinished);
    this.#account = await writer.begin(this.#account, period.startDate.toString());
    await this.#read(period);
    const standing = await this.#settle(period, known);
    const live = standing.balances[0];
    const first = standing.open[0];
    this.#account = await writer.endSync(this.#account, {
      live,
      isReached: standing.isReached,
      isReachedByRows: isReachedByRows(standing.chain, standing.balances),
      openDay: first === undefined ? null : first.sinceDay,
      seenAt: this.#context.seenAt,
    });
    return { account: this.#account, isWhole: standing.isReached && standing.open.length === 0 };
  }

  /** From the last row's day less the overlap, or earlier where something is open, whatever the clock says. */
  async #period({ openDay, unsettledDay }: Unfinished): Promise<Period> {
    const { startDate, today } = this.#asked;
    const { firstDay, lastDay } = this.#account;
    const lastRow = await this.#context.writer.lastRowDay(this.#account);
    const endDate = latest(today, lastRow === null ? today : dayOf(lastRow));
    const last = lastRow ?? lastDay ?? firstDay;
    if (last === null) {
      const first = startDate ?? today.firstOfMonth();
      return { startDate: first, endDate: latest(endDate, first) };
    }
    const overlap = dayOf(last).addDays(-overlapDays);
    // Two late rows can cancel out, so a month that is over is read once more, whole.
    const isNewMonth = lastDay !== null && lastDay.slice(0, 7) < today.toString().slice(0, 7);
    const from = isNewMonth ? earliest(overlap, dayOf(lastDay).firstOfMonth()) : overlap;
    const wanted = [openDay, unsettledDay].reduce(
      (day, open) => (open === null || open === "" ? day : earliest(day, dayOf(open))),
      from,
    );
    const start = firstDay === null ? wanted : latest(wanted, dayOf(firstDay));
    // No day may be skipped between days read before and days read again.
    return { startDate: earliest(earliest(start, endDate), startDate ?? start), endDate };
  }

  /**
   * Reads forward through days that were read before, then backward from there, the newest first: an interruption
   * leaves no gap.
   */
  async #read({ startDate, endDate }: Period): Promise<void> {
    const { firstDay, lastDay } = this.#account;
    const first = firstDay === null || lastDay === null ? startDate : dayOf(firstDay);
    if (startDate.compare(first) >= 0) return this.#readForward({ startDate, endDate });
    await this.#readForward({ startDate: first, endDate });
    for (const piece of piecesOf({ startDate, endDate: first.addDays(-1) }).toReversed()) await this.#readPiece(piece);
  }

  async #readForward(period: Period): Promise<void> {
    const pass = passSince(period.startDate);
    for (const piece of piecesOf(period)) await this.#readPiece(piece, pass);
  }

  async #readPiece(period: Period, pass = passSince(period.startDate)): Promise<void> {
    const { writer, progress } = this.#context;
    await progress(`${this.#account.accountNo}: ${describePeriod(period)} …`);
    this.#account = await readPiece(this.#context, { account: this.#account, period, pass, isOpen: this.#isOpen });
    // Future days don't count as read, unless rows show that the clock is behind.
    const lastRow = await writer.lastRowDay(this.#account);
    const known = lastRow === null ? this.#asked.today : latest(this.#asked.today, dayOf(lastRow));
    this.#account = await writer.readThrough(this.#account, {
      firstDay: period.startDate.toString(),
      lastDay: earliest(period.endDate, known).toString(),
    });
  }

  async #settle(period: Period, known: readonly Break[]): Promise<ChainStanding> {
    let { startDate } = period;
    let standing = await chainStandingOf(this.#context, this.#account, startDate);
    for (let reads = 1; reads < endReadsMax && !standing.isReached && this.#mayHaveMoved(standing); reads += 1) {
      await this.#readPiece({ startDate: latest(startDate, this.#tailStart(period)), endDate: period.endDate });
      standing = await chainStandingOf(this.#context, this.#account, startDate);
    }
    for (let days = startDate.daysUntil(period.endDate) + 1; !this.#isSettled(standing, known); days *= 2) {
      const further = this.#furtherBack(startDate, days, standing);
      if (further === undefined) break;
      this.#account = await this.#context.writer.begin(this.#account, further.toString());
      for (const piece of piecesOf({ startDate: further, endDate: startDate.addDays(-1) }).toReversed())
        await this.#readPiece(piece);
      startDate = further;
      standing = await chainStandingOf(this.#context, this.#account, startDate);
    }
    // Rows without a value date may stand beside rows of a piece that was read after theirs.
    if (!this.#isSettled(standing, known) && (await this.#context.writer.countHeld(this.#account, "", "")) > 0) {
      this.#isOpen = true;
      await this.#readForward({ startDate, endDate: period.endDate });
      standing = await chainStandingOf(this.#context, this.#account, startDate);
    }
    if (standing.isReached || !this.#mayHaveMoved(standing)) return standing;
    const ahead = { startDate: period.endDate.addDays(1), endDate: period.endDate.addDays(aheadDays) };
    await this.#readPiece(ahead);
    return chainStandingOf(this.#context, this.#account, startDate);
  }

  /** False where the balance is still that of the last sync, which the rows did not reach. */
  #mayHaveMoved({ balances }: ChainStanding): boolean {
    const { live, isReached } = this.#account;
    return balances.length > 0 && (isReached || live === null || balances[0]?.equals(live) !== true);
  }

  #tailStart({ endDate }: Period): Day {
    return endDate.addDays(-overlapDays);
  }

  #isSettled(standing: ChainStanding, known: readonly Break[]): boolean {
    const fresh = standing.open.filter(
      ({ number, left, found }) => !known.some((other) => other.number === number && isSameGap(other, { left, found })),
    );
    return fresh.length === 0 && (standing.isReached || !this.#mayHaveMoved(standing));
  }

  /**
   * Where to read from next: twice the days each time, back to the ledger's first day; further where the account has no
   * rows.
   */
  #furtherBack(startDate: Day, days: number, { chain }: ChainStanding): Day | undefined {
    const firstDay = dayOf(this.#account.firstDay ?? startDate.toString());
    const wanted = startDate.addDays(-days);
    if (startDate.compare(firstDay) > 0) return latest(wanted, firstDay);
    const isEmpty = chain.rows === 0;
    return isEmpty && wanted.daysUntil(this.#asked.today) <= emptyMaxDays ? wanted : undefined;
  }
}

function passSince(since: Day): Pass {
  return { since, shown: new Set() };
}

function dayOf(text: string): Day {
  return parseDay(text, "the ledger's day");
}

function latest(one: Day, other: Day): Day {
  return one.compare(other) >= 0 ? one : other;
}

function earliest(one: Day, other: Day): Day {
  return one.compare(other) <= 0 ? one : other;
}
