import { namedAs } from "./known-accounts.ts";
import type { KnownJournal } from "./known-journals.ts";
import { stillLacking } from "./known-journals.ts";
import type { JournalEnd, Mark } from "./marks.ts";

/** Since when a journal may lack orders of an account. */
export interface JournalGap {
  /** Milliseconds since 1970; undefined where that isn't known. */
  readonly from: number | undefined;
  /** True where orders certainly left since then. */
  readonly isCertain: boolean;
}

export interface GapGrounds {
  readonly id: string;
  readonly place: string;
  readonly end: JournalEnd;
  /** The time of that end by whichever clock was behind. */
  readonly knownUntil: number;
  readonly isBehind: boolean;
  /** Undefined where there is no valid one. */
  readonly mark: Mark | undefined;
  /** The mark of each journal that it replaced. */
  readonly lostMarks: readonly (Mark | undefined)[];
  readonly accounts: readonly string[];
  readonly journals: readonly KnownJournal[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The time from which an account's orders may be missing, by the journal's own end and by what is known of it. */
export function gapOf(account: string, grounds: GapGrounds): JournalGap {
  const { id, place, end, knownUntil, isBehind, mark, lostMarks, accounts, journals, now } = grounds;
  const isNamed = namedAs([account], accounts, journals);
  const own = journals.find((journal) => journal.id === id);
  const others = journals.filter(
    (journal) => journal.id !== id && (journal.place === place || journal.accounts?.some(isNamed) !== false),
  );
  const starts: (number | null)[] = others.map(({ since }) => since);
  const isUnread = own?.unread.some(isNamed) === true || own?.unreadWallets?.some(({ account: of }) => isNamed(of));
  if (isUnread === true) starts.push(own?.unreadFrom ?? null);
  else if (end.number > 0) starts.push(knownUntil);
  else if (others.length === 0) starts.push(own?.since ?? null);
  const lacking = stillLacking(own, now);
  if (lacking !== undefined) starts.push(lacking.endedAt);
  // Rows that were read into it since may be of any day that it knew.
  if (isBehind && (own?.recoveredAt ?? -1) >= end.at) starts.push(own?.since ?? null);
  const isLost = lostMarks.some((lost) => lost !== undefined && lost.number > 0);
  return {
    from: starts.includes(null) ? undefined : Math.min(...starts.map(Number)),
    isCertain: isLost || (isBehind && mark !== undefined && mark.number > end.number),
  };
}
