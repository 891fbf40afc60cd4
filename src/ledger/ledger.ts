import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import type { Sought } from "./terms/term.ts";

export const accountKinds = ["wallet", "merchant"] as const;
export type AccountKind = (typeof accountKinds)[number];

/** Whose rows they are. The same number at another service, or as another kind, is another account. */
export interface AccountKey {
  /** As `accountScope` names it: environment, base URL and account id. */
  readonly scope: string;
  readonly kind: AccountKind;
  readonly accountNo: string;
}

/** An account that the ledger holds. */
export interface LedgerAccount extends AccountKey {
  /** Names the account inside of the ledger. */
  readonly number: number;
  /** The profile by which it was synced last; null where variables alone said whose account it is. */
  readonly profile: string | null;
  /** As the service calls it; empty where it does not. */
  readonly name: string;
  /** Empty where the service does not say. */
  readonly currency: string;
  /** True where the service gives its rows newest first. */
  readonly isNewestFirst: boolean;
  /** The first day of which the ledger holds every row, `YYYY-MM-DD`; null before the first whole reading. */
  readonly firstDay: string | null;
  /** The last day that was read, and the day on which it was read; null before the first whole reading. */
  readonly lastDay: string | null;
  /** What the service said that the account held when it was synced last, and whether the rows led there. */
  readonly live: Decimal | null;
  readonly isReached: boolean;
  /** When that was, in milliseconds since 1970 UTC; null before. */
  readonly syncedAt: number | null;
}

/** A row of an account, as the service gave it. `factsOf` says what it means. */
export interface LedgerRow {
  /** Names the row inside of the ledger; it never changes. */
  readonly number: number;
  /** The day that it counts for, `YYYY-MM-DD`: its value date. A row without one counts with the row before it. */
  readonly day: string;
  /** The row with the service's own field names and digits. */
  readonly row: JsonObject;
  /** When it was first seen, in milliseconds since 1970 UTC. */
  readonly seenAt: number;
}

/** A row that was looked for, whatever day it counts for. */
export type FoundRow = Omit<LedgerRow, "day">;

/** What moved on one day of an account; `opening + credits − debits = closing` where the day adds up. */
export interface LedgerDay {
  /** `YYYY-MM-DD`: the day that its rows count for. */
  readonly day: string;
  readonly rows: number;
  readonly opening: Decimal | null;
  readonly credits: Decimal;
  /** Without sign; the fees are among them. */
  readonly debits: Decimal;
  /** Without sign: what fee rows took, less what they gave back. */
  readonly fees: Decimal;
  readonly closing: Decimal | null;
}

export const changeKinds = ["late", "changed", "vanished"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A row that came late, differs from what it was, or is no longer given. */
export interface LedgerChange {
  readonly account: LedgerAccount;
  readonly kind: ChangeKind;
  readonly reference: string;
  /** The value date of the row: of what it was, where it changed or vanished; without one, the day that it counted for. */
  readonly day: string;
  /** The day that the row counts for, which one without a value date has as well; null for one that vanished. */
  readonly countedDay: string | null;
  /** When it was seen, in milliseconds since 1970 UTC. */
  readonly seenAt: number;
  /** Null for a late row. */
  readonly old: JsonObject | null;
  /** Null for one that vanished. */
  readonly new: JsonObject | null;
}

/** A difference between balances that a person has taken as the service's own: `ledger accept`. */
export interface AcceptedGap {
  /** `before`: between the balance after the row before and this row's. `after`: between this row's and the service's. */
  readonly side: "before" | "after";
  /** The row's reference, and the day that it counts for; empty where it has none. */
  readonly reference: string;
  readonly day: string;
  /** By how much the balance jumps. */
  readonly gap: Decimal;
  readonly evidence: string;
  readonly by: string;
  /** In milliseconds since 1970 UTC. */
  readonly at: number;
}

/** A row whose balance does not follow from the one before it. */
export interface Break {
  /** The row's number and reference. */
  readonly number: number;
  readonly reference: string;
  readonly day: string;
  /** The day that the row before counts for: missing rows are of one of the days from then on. */
  readonly sinceDay: string;
  /** The balance after the row before, and the one before this row; null where the service doesn't give them. */
  readonly left: Decimal | null;
  readonly found: Decimal | null;
  /** Null unless a person has taken it as the service's own. */
  readonly accepted: AcceptedGap | null;
}

/** What the rows of an account prove by themselves. */
export interface Chain {
  readonly rows: number;
  /** The balance before the first row, and after the last one; null without rows. */
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly last: { readonly number: number; readonly reference: string } | null;
  /** By how much the service's balance differs from the last row's, where a person has taken that as its own. */
  readonly acceptedEnd: AcceptedGap | null;
  /** Oldest first. */
  readonly breaks: readonly Break[];
}

/** A row that something other than partner has changed, or a broken disk: what is worked out from it is not to be trusted. */
export interface AlteredRow {
  readonly reference: string;
}

/** Which rows; all where nothing is said. */
export interface RowsWanted {
  /** `YYYY-MM-DD`, both included, of the days that rows count for. */
  readonly startDay?: string | undefined;
  readonly endDay?: string | undefined;
  /** As they were known then, in milliseconds since 1970 UTC; as they are known now where left out. */
  readonly asOf?: number | undefined;
  /** In the order in which the service gives them; oldest first where left out. */
  readonly asServed?: boolean | undefined;
}

/**
 * Every row of every account that was ever synced, and how it came to be what it is. Opening it reads nothing but its
 * head; a ledger that was never synced has no accounts. Reading never waits for a sync that is under way: it shows what
 * was kept before.
 */
export interface Ledger {
  /**
   * The accounts that it holds, in the order in which they were first synced.
   * @param scope of one profile's account; of all where left out
   * @param asOf as the last sync by then left them, in milliseconds since 1970 UTC; as they are now where left out
   */
  accounts(scope?: string, asOf?: number): Promise<readonly LedgerAccount[]>;
  /** Rows in batches; memory is bounded however many there are. */
  rows(account: LedgerAccount, wanted?: RowsWanted): AsyncIterable<readonly LedgerRow[]>;
  /**
   * Rows that can have all terms of one of these sets, oldest first; some have not. Without an index these are all rows.
   * @param isKnown rows by their numbers that need not be read
   */
  rowsWith(
    account: LedgerAccount,
    sought: Sought,
    isKnown: (number: number) => boolean,
  ): AsyncIterable<readonly FoundRow[]>;
  /** Days on which something moved, oldest first. */
  days(account: LedgerAccount, wanted?: Omit<RowsWanted, "asServed">): Promise<readonly LedgerDay[]>;
  /** In the order in which they were seen, of one account or all of a scope. */
  changes(of: {
    readonly scope?: string | undefined;
    readonly asOf?: number | undefined;
  }): Promise<readonly LedgerChange[]>;
  /** Whether each balance follows from the one before, over the whole history. */
  chain(account: LedgerAccount, asOf?: number): Promise<Chain>;
  /** The first row whose stored values are not those of its text; reads every row. */
  altered(account: LedgerAccount): Promise<AlteredRow | undefined>;
  /** Closed months, where hosts remember them together; undefined where this machine does by itself. */
  readonly closes?: SharedCloses | undefined;
  close(): Promise<void>;
}

/** What closes of months left, as JSON texts, the oldest first. */
export interface SharedCloses {
  read(): Promise<readonly string[]>;
  keep(content: string): Promise<void>;
}
