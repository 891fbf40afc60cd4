import type { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import type { Sought } from "./terms/term.ts";

export const accountKinds = ["wallet", "merchant"] as const;
export type AccountKind = (typeof accountKinds)[number];

/** Identifies an account. The same number at another service, or of another kind, is another account. */
export interface AccountKey {
  /** As `accountScope` names it: environment, base URL and account id. */
  readonly scope: string;
  readonly kind: AccountKind;
  readonly accountNo: string;
}

/** A person's word that the service no longer has an account: `ledger accept --account-closed`. */
export interface AccountClosure {
  readonly evidence: string;
  readonly by: string;
  /** In milliseconds since 1970 UTC. */
  readonly at: number;
}

/** An account that the ledger holds. */
export interface LedgerAccount extends AccountKey {
  /** Identifies the account in the ledger. */
  readonly number: number;
  /** The profile of the last sync; null where only environment variables named the account. */
  readonly profile: string | null;
  /** The service's name for it; empty where it gives none. */
  readonly name: string;
  /** Empty where the service does not say. */
  readonly currency: string;
  /** True where the service gives its rows newest first. */
  readonly isNewestFirst: boolean;
  /** The first day of which the ledger holds every row, `YYYY-MM-DD`; null before the first whole reading. */
  readonly firstDay: string | null;
  /**
   * The last day that was read, which was not over yet if it was the day of the reading; null before the first whole
   * reading.
   */
  readonly lastDay: string | null;
  /** The service's balance at the last sync, and whether the rows led to it. */
  readonly live: Decimal | null;
  readonly isReached: boolean;
  /** When the last sync that ended began, in milliseconds since 1970 UTC; null before the first. */
  readonly syncedAt: number | null;
  /** Null unless a person has accepted that the service no longer has it: later rows can't be read. */
  readonly closure: AccountClosure | null;
}

/** A row of an account, as the service gave it. `factsOf` says what it means. */
export interface LedgerRow {
  /** Identifies the row in the ledger, and is its place: both change where the row is moved. */
  readonly number: number;
  /** The day that it counts for, `YYYY-MM-DD`: its value date. A row without one counts with the row before it. */
  readonly day: string;
  /** The row with the service's own field names and digits. */
  readonly row: JsonObject;
  /** When it was first seen, in milliseconds since 1970 UTC. */
  readonly seenAt: number;
}

/** A row that a search found, without the day that it counts for. */
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

/** A row that came late, has changed, or is no longer given. */
export interface LedgerChange {
  readonly account: LedgerAccount;
  readonly kind: ChangeKind;
  readonly reference: string;
  /** The row's value date, before the change where it changed or vanished; without one, the day that it counted for. */
  readonly day: string;
  /** The day that the row counts for, also where it has no value date; null for a row that vanished. */
  readonly countedDay: string | null;
  /** When it was seen, in milliseconds since 1970 UTC. */
  readonly seenAt: number;
  /** Null for a late row. */
  readonly old: JsonObject | null;
  /** Null for a row that vanished. */
  readonly new: JsonObject | null;
}

/** A difference between balances that a person has accepted as the service's own: `ledger accept`. */
export interface AcceptedGap {
  /** `before`: the balance does not follow from the row before. `after`: the service's balance is not this row's. */
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
  /** The day that the row before counts for: missing rows are of that day or later. */
  readonly sinceDay: string;
  /**
   * The balance after the row before, and the balance before this row; null where the service doesn't give them. An
   * amount that is not a number counts as none.
   */
  readonly left: Decimal | null;
  readonly found: Decimal | null;
  /** Null unless a person has accepted the break as the service's own. */
  readonly accepted: AcceptedGap | null;
}

/** What an account's rows prove without the service. */
export interface Chain {
  readonly rows: number;
  /** The balance before the first row, and after the last one; null without rows. */
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly last: { readonly number: number; readonly reference: string } | null;
  /** The accepted difference between the service's balance and the last row's; null without one. */
  readonly acceptedEnd: AcceptedGap | null;
  /** Oldest first. */
  readonly breaks: readonly Break[];
}

/** A row that another program or a broken disk has changed: figures computed from it can't be trusted. */
export interface AlteredRow {
  readonly reference: string;
}

/** Which rows; by default all. */
export interface RowsWanted {
  /** The days that rows count for: `YYYY-MM-DD`, both included. */
  readonly startDay?: string | undefined;
  readonly endDay?: string | undefined;
  /** Rows as known at this time, in milliseconds since 1970 UTC; default: now. */
  readonly asOf?: number | undefined;
  /** In the service's own order; default: oldest first. */
  readonly asServed?: boolean | undefined;
}

/**
 * Every row of every account that was ever synced, with its history. A ledger that was never synced has no accounts.
 * Reads never wait for a running sync: they show what was committed before.
 */
export interface Ledger {
  /**
   * The accounts, in the order in which they were first synced.
   * @param scope of one profile's account; default: all accounts
   * @param asOf shows accounts as the last sync before this time left them, in milliseconds since 1970 UTC; default:
   * now
   */
  accounts(scope?: string, asOf?: number): Promise<readonly LedgerAccount[]>;
  /** Rows in batches; memory is bounded however many there are. */
  rows(account: LedgerAccount, wanted?: RowsWanted): AsyncIterable<readonly LedgerRow[]>;
  /**
   * Rows that may have all terms of one of these sets, oldest first. Some don't; without an index, all rows are given.
   * @param isKnown true for the numbers of rows that need not be read
   */
  rowsWith(
    account: LedgerAccount,
    sought: Sought,
    isKnown: (number: number) => boolean,
  ): AsyncIterable<readonly FoundRow[]>;
  /** Days on which something moved, oldest first. */
  days(account: LedgerAccount, wanted?: Omit<RowsWanted, "asServed">): Promise<readonly LedgerDay[]>;
  /** Changes in the order in which they were seen; default: of all scopes, as known now. */
  changes(of: {
    readonly scope?: string | undefined;
    readonly asOf?: number | undefined;
  }): Promise<readonly LedgerChange[]>;
  /** Whether each balance follows from the one before, over the whole history. */
  chain(account: LedgerAccount, asOf?: number): Promise<Chain>;
  /** The first row whose columns differ from its JSON text; reads every row. */
  altered(account: LedgerAccount): Promise<AlteredRow | undefined>;
  /** Closed months that several hosts share; undefined where each machine keeps its own. */
  readonly closes?: SharedCloses | undefined;
  close(): Promise<void>;
}

/** Closed months as JSON texts, oldest first. */
export interface SharedCloses {
  read(): Promise<readonly string[]>;
  keep(content: string): Promise<void>;
}
