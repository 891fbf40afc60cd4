import type { Failure } from "../values/failure.ts";
import type { StatementRow } from "./rows/statement-row.ts";

interface Paid {
  readonly row: StatementRow;
  /** The service's id of the order, if only a fee's row names the order beside it. */
  readonly idFromFee?: string | undefined;
}

/** What the statements say of an order. */
export type Finding =
  /** One row proves that it was paid. */
  | ({ readonly kind: "proved" } & Paid)
  /** It was paid, and `back` reversed it. */
  | ({ readonly kind: "reversed"; readonly back: StatementRow } & Paid)
  /** Rows that may concern it, but decide nothing. */
  | { readonly kind: "weak"; readonly seen: readonly WeakRow[] }
  /** `unread` says why there was no statement to read. */
  | { readonly kind: "nothing"; readonly unread?: Failure };

/** A row that decides nothing, and why. */
export interface WeakRow {
  readonly row: StatementRow;
  /** Words that follow the row's name: `has another amount, -6`. */
  readonly why: string;
  /** Where the row has the order's reference: as its own, inside other text, or nowhere. */
  readonly reference: "carried" | "named" | "missing";
  /** True also where its amount can't be read, and may be the order's. */
  readonly hasItsAmount: boolean;
  /**
   * True where all but the reference matches (wallet, side, amount, date, narration), and other orders don't account
   * for such rows.
   */
  readonly isNamesake: boolean;
  /** True for a row that would prove the order if it were the only one. */
  readonly isOneOfSeveral: boolean;
  /** True for a row that would prove the order if it couldn't be another order's as well. */
  readonly isContested: boolean;
}

/** Names a row for people. */
export function nameRow({ tranRefNo, accountNo, valueDate }: StatementRow): string {
  const day = valueDate === "" ? "" : `, ${valueDate}`;
  return `row ${tranRefNo === "" ? "without a reference" : tranRefNo} of ${accountNo}${day}`;
}

/** True for a row that contradicts a person's word that the order was refused. */
export function speaksAgainstRefusal(row: WeakRow): boolean {
  const { isOneOfSeveral, isContested, isNamesake } = row;
  return isOneOfSeveral || isContested || isNamesake || (row.reference !== "missing" && row.hasItsAmount);
}
