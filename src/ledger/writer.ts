import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import type { Period } from "../values/time/period.ts";
import type { AccountClosure, AccountKey, Chain, ChangeKind, Ledger, LedgerAccount } from "./ledger.ts";
import type { Bounds, PlaceRange } from "./places.ts";

/** What the service says of an account besides its rows. */
export interface AccountSaid {
  readonly profile: string | null;
  readonly name: string;
  readonly currency: string;
}

/** A row of the ledger, with what is needed to compare it with a reading. */
export interface HeldRow {
  /** Its number, which is also its place. */
  readonly number: number;
  readonly day: string;
  /** JSON text. */
  readonly raw: string;
}

/** A stretch of days in the ledger. */
export interface Stretch {
  readonly startDay: string;
  /** The places of its first and its last row that has a day; undefined where it has none. */
  readonly first?: number | undefined;
  readonly last?: number | undefined;
}

/** Which rows, and in which order. */
export interface HeldDays {
  readonly startDay: string;
  readonly endDay: string;
  /** Newest first. */
  readonly isBackwards: boolean;
}

/** A new row, and its place. */
export interface Insertion {
  readonly place: number;
  readonly row: JsonObject;
}

/** A row that differs only in its balances. */
export interface Shift {
  readonly number: number;
  readonly old: JsonObject;
  readonly row: JsonObject;
}

/** A change to store. */
export interface ChangeNote {
  readonly kind: ChangeKind;
  readonly reference: string;
  readonly day: string;
  readonly old: JsonObject | null;
  readonly new: JsonObject | null;
}

/** What a reading changes in the ledger. */
export interface Edits {
  readonly insertions: readonly Insertion[];
  readonly shifts: readonly Shift[];
  /** Rows that move to another place. */
  readonly moves: readonly { readonly number: number; readonly place: number }[];
  /** Numbers of rows that the service no longer gives, or gives differently. */
  readonly gone: readonly number[];
  readonly changes: readonly ChangeNote[];
}

/** The days that an account has whole after one more piece of its history was read. */
export interface ReadThrough {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** What an earlier sync has left to do. */
export interface Unfinished {
  /** The day from which a sync that ended found a balance that does not follow; null without one. */
  readonly openDay: string | null;
  /** The day from which an interrupted sync was reading; null without one. */
  readonly unsettledDay: string | null;
}

/** How a sync of an account ended. */
export interface SyncEnd {
  readonly live: Decimal | undefined;
  readonly isReached: boolean;
  /** True where the rows led there without the difference accepted after the last row. */
  readonly isReachedByRows: boolean;
  /** The first day to read next time, as rows are missing from then on; null where none are. */
  readonly openDay: string | null;
  /** When the sync began, in milliseconds since 1970 UTC: the time recorded for everything it saw. */
  readonly seenAt: number;
}

/** A person's statement that a break is the service's own. */
export interface Acceptance {
  /** The row's number. */
  readonly number: number;
  /** As in `AcceptedGap`. */
  readonly side: "before" | "after";
  /** By how much the balance jumps. */
  readonly gap: Decimal;
  readonly evidence: string;
  readonly by: string;
}

/** A person's statement that the service no longer has an account. */
export type ClosureWord = Pick<AccountClosure, "evidence" | "by">;

/** Rows of a period that were stored in a row: between two places, which are not theirs. */
export interface StoredPiece extends Pick<PlaceRange, "after" | "before"> {
  readonly period: Period;
}

/** A ledger that a sync writes. A method writes all or nothing, and its promise resolves once that is on the disk. */
export interface LedgerWriter extends Ledger {
  /** Adds the account, or updates what the service says of it. */
  enroll(key: AccountKey, said: AccountSaid): Promise<LedgerAccount>;
  /** Completes the index of `find`, where an earlier version or a kill left rows out. */
  index(account: LedgerAccount): Promise<void>;
  /** Notes in which order the service gives the rows of an account. */
  setOrder(account: LedgerAccount, isNewestFirst: boolean): Promise<LedgerAccount>;
  unfinished(account: LedgerAccount): Promise<Unfinished>;
  /** When a sync last saw something, in milliseconds since 1970 UTC; null before the first. */
  lastSeen(): Promise<number | null>;
  /** The newest value date of a row that the service still gives; null without one. */
  lastRowDay(account: LedgerAccount): Promise<string | null>;
  /** How many rows of these days were ever stored, deleted ones included. */
  countHeld(account: LedgerAccount, startDay: string, endDay: string): Promise<number>;
  /** Rows of these days, and those without a day, in their order. */
  held(account: LedgerAccount, startDay: string, endDay: string): Promise<readonly HeldRow[]>;
  /** The same, page by page: memory is bounded. */
  heldPages(account: LedgerAccount, days: HeldDays): AsyncIterable<readonly HeldRow[]>;
  /** The nearest rows of other days, before and after a stretch. */
  around(account: LedgerAccount, stretch: Stretch): Promise<Bounds>;
  rowAt(place: number): Promise<HeldRow>;
  /** Places within the bounds that rows occupy, also deleted ones. */
  takenBetween(account: LedgerAccount, bounds: Bounds): Promise<ReadonlySet<number>>;
  /** Gives all rows of the account new places, `step` apart. */
  spread(account: LedgerAccount, step: number): Promise<void>;
  apply(account: LedgerAccount, edits: Edits, seenAt: number): Promise<void>;
  /** Stores consecutive rows, however many; nothing else may be written meanwhile. */
  appender(account: LedgerAccount, place: PlaceRange, seenAt: number): Appender;
  /** Deletes what this sync stored of a period, because the answer was incomplete. */
  takeBack(account: LedgerAccount, stored: StoredPiece, seenAt: number): Promise<void>;
  /** Records that a sync is reading from that day on, until `endSync`. */
  begin(account: LedgerAccount, firstDay: string): Promise<LedgerAccount>;
  readThrough(account: LedgerAccount, days: ReadThrough): Promise<LedgerAccount>;
  /** The chain from the last row before a day on. Accepted breaks are in it, too. */
  breaksSince(account: LedgerAccount, day: string): Promise<Chain>;
  endSync(account: LedgerAccount, end: SyncEnd): Promise<LedgerAccount>;
  accept(acceptance: Acceptance): Promise<void>;
  acceptClosure(account: LedgerAccount, word: ClosureWord): Promise<void>;
  /** Ends the accepted closure of an account that the service has again. */
  lapseClosure(account: LedgerAccount, seenAt: number): Promise<void>;
  /** The day before which rows are redacted; null where none are. */
  redactedBefore(): Promise<string | null>;
  /** How many rows of days before this one still have personal data. */
  countPersonal(day: string): Promise<number>;
  /**
   * Removes personal data from rows of days before this one and from their changes, all or nothing.
   * @returns how many rows it was removed from
   */
  redact(day: string): Promise<number>;
}

/** Adds rows to the ledger. A process that is killed leaves some of the first ones there. */
export interface Appender {
  add(rows: readonly JsonObject[]): void | Promise<void>;
  /** Commits the rest. It is on the disk no later than the next write. */
  end(): void | Promise<void>;
  /** Discards rows that are not committed yet; after `end` there are none. */
  drop(): void | Promise<void>;
}
