import type { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Period } from "../../values/time/period.ts";

/** A row of a statement as every file format sees it. */
export interface StatementLine {
  /** Counted from 1 in the order of `lines()`, oldest first. */
  readonly row: number;
  /** As the service sent it, a fee's suffix (`-PAYIN`, `-PAYOUT`) included; can be empty. */
  readonly reference: string;
  /** `YYYY-MM-DD` of the value date, never shifted by a zone. */
  readonly day: string;
  /** The value date as it was sent. */
  readonly timestamp: string;
  readonly narration: string;
  /** Who paid, where the service names it (merchant accounts); else empty. */
  readonly sender: string;
  /** Further fields of merchant accounts; empty for wallets, and where they have no value. */
  readonly paymentReference: string;
  readonly senderAccount: string;
  readonly senderBank: string;
  /** Zero where the field is empty. */
  readonly credit: Decimal;
  readonly debit: Decimal;
  /** The balance after the row; undefined where none was sent. */
  readonly balance: Decimal | undefined;
  /** True for the service's fee of another row, known by its reference or its narration. */
  readonly isFee: boolean;
  /** True for the half of a transfer between two wallets of the same profile. */
  readonly isOwnTransfer: boolean;
  /** The account on the other side, where a rule names it. */
  readonly account: string | undefined;
  readonly raw: JsonObject;
}

/** Rows of one side. */
export interface Entries {
  readonly count: number;
  readonly sum: Decimal;
}

/** A statement that was read to its end once: its totals, and its rows as often as needed. */
export interface StatementData {
  readonly accountNo: string;
  readonly accountKind: "wallet" | "merchant";
  readonly accountName: string | undefined;
  /** Empty where it is not known and the format does not need it. */
  readonly currency: string;
  readonly period: Period;
  /** Undefined where no row has a balance and the format does not need it. */
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  /** The sums of all rows, without sign. */
  readonly credits: Decimal;
  readonly debits: Decimal;
  readonly rows: number;
  /** Rows by their sign: a row of zero counts as a credit. Sums have no sign. */
  readonly entries: { readonly credits: Entries; readonly debits: Entries };
  /** `adds up`, or `does not add up` and the first row that breaks it. */
  readonly verdict: string;
  readonly addsUp: boolean;
  /**
   * True where the file is one of several that are read together, and another one opens the accounts and the balance.
   */
  readonly goesOn: boolean;
  /** The accounts that rules may name for rows, each once. */
  readonly ruleAccounts: readonly string[];
  /** True where no row's day is before the day of the row above it. */
  readonly isChronological: boolean;
  /** `YYYY-MM-DD`: the period's first day, or a row's where one is earlier. */
  readonly earliestDay: string;
  /** Oldest first; may be called more than once. */
  lines(): AsyncIterable<readonly StatementLine[]>;
  /** The same rows as the service sent them, for formats that need nothing more. */
  rawRows(): AsyncIterable<readonly JsonObject[]>;
}

/**
 * Encodes a statement as a file of some format, in pieces. The same statement gives the same bytes on every run:
 * creation times come from the period's end, never from the clock.
 */
export type EncodeStatement = (statement: StatementData) => AsyncIterable<string | Uint8Array>;

/** Credit less debit: negative where money left. */
export function changeOf({ credit, debit }: Pick<StatementLine, "credit" | "debit">): Decimal {
  return credit.subtract(debit);
}
