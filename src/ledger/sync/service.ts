import type { Rows } from "../../contract/endpoint.ts";
import type { Files } from "../../host/files/files.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { LedgerWriter } from "../writer.ts";

/** What the service gives of one account. */
export interface AccountService {
  /**
   * The rows of a period, which may be read more than once.
   * @throws {Failure} setup | refused | unavailable | interrupted
   */
  read(period: Period): Promise<Rows>;
  /**
   * The same while they arrive. `use` is called again with all rows where the answer breaks off.
   * @throws {Failure} as above, and whatever `use` throws
   */
  stream<T>(period: Period, use: (rows: Rows) => Promise<T>): Promise<T>;
  /**
   * The current balance, in each way the service gives it; empty where it gives none.
   * @throws {Failure} as above
   */
  balances(): Promise<readonly Decimal[]>;
}

/** What a sync works with. */
export interface SyncContext {
  readonly writer: LedgerWriter;
  readonly service: AccountService;
  readonly files: Pick<Files, "spool">;
  /** The balance in the list of accounts, before anything was read. */
  readonly listed: Decimal | undefined;
  /** When the sync began, in milliseconds since 1970 UTC: the time of everything it reads. */
  readonly seenAt: number;
  /** Reports each step to a person who waits. */
  readonly progress: (line: string) => Promise<void>;
}

/** One reading of an account, piece by piece. */
export interface Pass {
  /** Every day from this one up to the present piece was read. */
  readonly since: Day;
  /** The places of rows without a value date that a piece has shown: a later one may leave them out. */
  readonly shown: Set<number>;
}

/** A piece of an account's history that is read in one go. */
export interface Piece {
  readonly account: LedgerAccount;
  readonly period: Period;
  readonly pass: Pass;
  /** True where balances don't follow: rows without a value date may stand in a wrong place. */
  readonly isOpen: boolean;
}
