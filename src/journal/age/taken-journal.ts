import { accountsOf, namedAs, union } from "./known-accounts.ts";
import type { Home } from "./home.ts";
import type { KnownJournal } from "./known-journals.ts";
import { stillLacking } from "./known-journals.ts";

/** How a journal is made the known one. */
export interface Taking {
  readonly id: string;
  readonly place: string;
  readonly machine: string | null;
  readonly home: Home | null;
  readonly database: string | undefined;
  /** Accounts that ordered with it. */
  readonly own: readonly string[];
  /** Accounts whose journal it is from now on. */
  readonly accounts: readonly string[];
  /** The time of its last event, null where it has none: it may not know later orders. And when that was found. */
  readonly ended: Pick<KnownJournal, "endedAt" | "endedFoundAt">;
  /** Undefined where it only changed its place. */
  readonly recovery: Recovery | undefined;
  readonly now: number;
}

/** A reading of the accounts' statements. */
export interface Recovery {
  /** Since when orders of any account may be missing, or earlier where the reading began earlier; milliseconds since 1970. */
  readonly from: number;
  /** Wallets whose statements could not be read. */
  readonly unreadWallets: readonly string[];
  /** True where the journal lacked, or may have lacked, orders of any account. */
  readonly isBehind: boolean;
}

/** The list after a journal has become the known one: the others no longer have any of its accounts. */
export function takenJournal(journals: readonly KnownJournal[], taking: Taking): readonly KnownJournal[] {
  const { id, place, own, accounts } = taking;
  const before = journals.find((journal) => journal.id === id);
  const lost = journals.filter((journal) => journal.id !== id && journal.place === place);
  const isTaken = namedAs(accounts, own, journals);
  const all = union(before?.accounts ?? [], lost.flatMap(accountsOf), own, accounts);
  const others = journals.filter((journal) => journal !== before && !lost.includes(journal));
  const replaced = [...lost, ...others.filter((other) => other.accounts?.some(isTaken) === true)];
  const taken: KnownJournal = {
    id,
    place,
    isMarked: true,
    machine: taking.machine,
    home: taking.home,
    database: taking.database,
    accounts: all,
    since: sinceOf(taking, before, replaced),
    ...unreadAfter(taking, { before, all, isTaken, isLost: lost.length > 0 }),
    ...timesAfter(taking, before),
  };
  return [...others.map((other) => without(other, isTaken)), taken];
}

/**
 * Since when it knows orders: it takes over what the replaced journals knew and what the statements showed, so if it is
 * lost, all of that is.
 */
function sinceOf(
  { recovery, now }: Taking,
  before: KnownJournal | undefined,
  replaced: readonly KnownJournal[],
): number | null {
  if (before?.since === null) return null;
  const starts = [before?.since ?? now, recovery?.from ?? now, ...replaced.map(({ since }) => since ?? now)];
  return Math.min(...starts);
}

interface Before {
  readonly before: KnownJournal | undefined;
  readonly all: readonly string[];
  readonly isTaken: (scope: string) => boolean;
  /** True where it replaces another one. */
  readonly isLost: boolean;
}

/** What the journal lacked may have been sent for any of its accounts. */
function unreadAfter({ recovery, accounts }: Taking, { before, all, isTaken, isLost }: Before) {
  const { unread = [], unreadWallets = [], unreadFrom = null } = before ?? {};
  if (recovery === undefined) return { unread, unreadWallets, unreadFrom };
  const isAll = recovery.isBehind || isLost;
  const left = (isAll ? all : unread).filter((scope) => !isTaken(scope));
  const [account = ""] = accounts;
  const missing = [
    ...unreadWallets.filter((wallet) => !isTaken(wallet.account)),
    ...recovery.unreadWallets.map((accountNo) => ({ account, accountNo })),
  ];
  if (left.length + missing.length === 0) return { unread: left, unreadWallets: missing, unreadFrom: null };
  return {
    unread: left,
    unreadWallets: missing,
    unreadFrom: isAll || missing.length > 0 ? Math.min(recovery.from, unreadFrom ?? recovery.from) : unreadFrom,
  };
}

/**
 * What another machine sent with the original since its last event is shown only by statements from then on, and those
 * of one account do not show the orders of another.
 */
function timesAfter({ recovery, ended, now }: Taking, before: KnownJournal | undefined) {
  const { movedAt = null, recoveredAt = null } = before ?? {};
  return recovery === undefined
    ? { movedAt: now, ...ended, recoveredAt }
    : { movedAt, ...stillLacking(before, now), recoveredAt: now };
}

function without(journal: KnownJournal, isTaken: (scope: string) => boolean): KnownJournal {
  const { accounts } = journal;
  return accounts === null ? journal : { ...journal, accounts: accounts.filter((scope) => !isTaken(scope)) };
}

/** The same journal while an account's statements are read from an instant on, milliseconds since 1970. */
export function beingRead(journal: KnownJournal, account: string, from: number): KnownJournal {
  const { unread, unreadFrom } = journal;
  const earliest = unreadFrom === null ? null : Math.min(unreadFrom, from);
  return { ...journal, unread: union(unread, [account]), unreadFrom: unread.length === 0 ? from : earliest };
}
