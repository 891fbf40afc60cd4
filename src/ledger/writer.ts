import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import type { Period } from "../values/time/period.ts";
import type { AccountKey, Chain, ChangeKind, Ledger, LedgerAccount } from "./ledger.ts";
import type { Bounds, PlaceRange } from "./places.ts";

/** What the service says of an account besides its rows. */
export interface AccountSaid {
  readonly profile: string | null;
  readonly name: string;
  readonly currency: string;
}

/** A row that the ledger holds, as far as a reading is compared with it. */
export interface HeldRow {
  /** Its number, which is its place as well. */
  readonly number: number;
  readonly day: string;
  /** JSON text. */
  readonly raw: string;
}

/** Which rows, and in which order. */
export interface HeldDays {
  readonly startDay: string;
  readonly endDay: string;
  /** From the last one on. */
  readonly isBackwards: boolean;
}

/** A row that is new at its place. */
export interface Insertion {
  readonly place: number;
  readonly row: JsonObject;
}

/** A row of which only what it says of balances is another. */
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

/** What a reading makes of the rows that the ledger holds. */
export interface Edits {
  readonly insertions: readonly Insertion[];
  readonly shifts: readonly Shift[];
  /** Rows with a new place among the others. */
  readonly moves: readonly { readonly number: number; readonly place: number }[];
  /** Numbers of rows that the service no longer gives, or gives differently. */
  readonly gone: readonly number[];
  readonly changes: readonly ChangeNote[];
}

/** The state of an account after a whole piece of its history was read. */
export interface ReadThrough {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** What an earlier sync has left to do. */
export interface Unfinished {
  /** Since when a balance does not follow, as a sync has found out that ended; null where none does. */
  readonly openDay: string | null;
  /** Since when a sync was comparing that was cut off; null where none was. */
  readonly unsettledDay: string | null;
}

/** How a sync of an account ended. */
export interface SyncEnd {
  readonly live: Decimal | undefined;
  readonly isReached: boolean;
  /** True where they led there without a difference that was accepted at the end. */
  readonly isReachedByRows: boolean;
  /** The first day to read next time, because something is missing since then; null where nothing is. */
  readonly openDay: string | null;
  /** When the sync began: the time of all that it saw. */
  readonly seenAt: number;
}

/** A person's word that a break is the service's own. */
export interface Acceptance {
  /** The row. */
  readonly number: number;
  /** `before`: its balance does not follow from the row before. `after`: the service's balance is not the row's. */
  readonly side: "before" | "after";
  /** By how much the balance jumps. */
  readonly gap: Decimal;
  readonly evidence: string;
  readonly by: string;
}

/** A ledger that a sync writes. What a method keeps is on the disk when its promise resolves, all of it or nothing. */
export interface LedgerWriter extends Ledger {
  /** Makes the account known, or brings up to date what the service says of it. */
  enroll(key: AccountKey, said: AccountSaid): Promise<LedgerAccount>;
  /** Makes the index of `find` whole, where an earlier version or a kill has left rows out. */
  index(account: LedgerAccount): Promise<void>;
  /** Notes in which order the service gives the rows of an account. */
  setOrder(account: LedgerAccount, isNewestFirst: boolean): Promise<LedgerAccount>;
  unfinished(account: LedgerAccount): Promise<Unfinished>;
  /** When a sync has seen something last, in milliseconds since 1970 UTC; null where none ever did. */
  lastSeen(): Promise<number | null>;
  /** The last row's value date; null without rows that have one. */
  lastRowDay(account: LedgerAccount): Promise<string | null>;
  /** How many rows of these days were ever kept. */
  countHeld(account: LedgerAccount, startDay: string, endDay: string): Promise<number>;
  /** Rows of these days, and those without a day, in their order. */
  held(account: LedgerAccount, startDay: string, endDay: string): Promise<readonly HeldRow[]>;
  /** The same a page at a time, so that memory is bounded however many there are. */
  heldPages(account: LedgerAccount, days: HeldDays): AsyncIterable<readonly HeldRow[]>;
  /** The places next to a stretch of rows. */
  around(account: LedgerAccount, first: number, last: number): Promise<Bounds>;
  /** The places next to rows of days on which the ledger holds none. */
  gapAt(account: LedgerAccount, startDay: string): Promise<Bounds>;
  /** Places between two that belong to rows which are gone. */
  takenBetween(account: LedgerAccount, bounds: Bounds): Promise<ReadonlySet<number>>;
  /** Gives all rows of the account new places, with room between any two. */
  spread(account: LedgerAccount): Promise<void>;
  apply(account: LedgerAccount, edits: Edits, seenAt: number): Promise<void>;
  /** Keeps rows that come one after the other, however many; nothing else is kept meanwhile. */
  appender(account: LedgerAccount, place: PlaceRange, seenAt: number): Appender;
  /** Takes back rows of a period that came in an answer which was not whole. */
  takeBack(account: LedgerAccount, period: Period, seenAt: number): Promise<void>;
  /** Notes that a sync is under way which reads from that day on, until `endSync`. */
  begin(account: LedgerAccount, firstDay: string): Promise<LedgerAccount>;
  readThrough(account: LedgerAccount, days: ReadThrough): Promise<LedgerAccount>;
  /** Whether balances follow since a day, the last row before it included; breaks that are accepted are left out. */
  breaksSince(account: LedgerAccount, day: string): Promise<Chain>;
  endSync(account: LedgerAccount, end: SyncEnd): Promise<LedgerAccount>;
  accept(acceptance: Acceptance): Promise<void>;
  /** Rows of days before this one were redacted; null where none were. */
  redactedBefore(): Promise<string | null>;
  /** How many rows of days before this one have personal data. */
  countPersonal(day: string): Promise<number>;
  /**
   * Takes personal data out of rows of days before this one, and out of what changed in them; all of it or nothing.
   * @returns how many rows it was taken out of
   */
  redact(day: string): Promise<number>;
}

/** Rows on their way into the ledger. A process that is killed leaves the first of them there. */
export interface Appender {
  add(rows: readonly JsonObject[]): void | Promise<void>;
  /** All of them are kept; on the disk when whatever is kept next is. */
  end(): void | Promise<void>;
  /** The last of them are given up; after `end` there are none. */
  drop(): void | Promise<void>;
}
