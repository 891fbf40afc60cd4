import type { JsonObject } from "../../../values/json.ts";
import type { LedgerAccount } from "../../ledger.ts";
import type { RowFacts } from "../../row-facts.ts";
import { digitsOf, factsOf, minorUnits } from "../../row-facts.ts";
import { encodeRow } from "../../stored-row.ts";
import type { FindableTexts } from "../../terms/row-terms.ts";
import { findableTexts } from "../../terms/row-terms.ts";

/** A row as the columns of `entries` store it. */
export interface StoredEntry {
  /** JSON text. */
  readonly raw: string;
  /** Texts it can be found by, its reference among them. */
  readonly texts: FindableTexts;
  /** `YYYY-MM-DD`; empty where it has none. */
  readonly day: string;
  readonly side: -1 | 0 | 1;
  /** In whole smallest units; null where it is not whole, or missing. */
  readonly change: bigint | number | null;
  readonly balance: bigint | number | null;
  readonly isFee: boolean;
}

export function entryOf(row: JsonObject, account: LedgerAccount): StoredEntry {
  const facts = factsOf(row, account.kind);
  return { raw: encodeRow(row), texts: findableTexts(row, facts), ...storedFigures(facts, account) };
}

/** The columns that sums and proofs read. */
export function storedFigures(facts: RowFacts, { currency }: LedgerAccount): Omit<StoredEntry, "raw" | "texts"> {
  const digits = digitsOf(currency);
  return {
    day: facts.day,
    side: sideOf(facts),
    change: minorUnits(facts.change, digits) ?? null,
    balance: minorUnits(facts.balance, digits) ?? null,
    isFee: facts.isFee,
  };
}

function sideOf({ side }: RowFacts): StoredEntry["side"] {
  return side === "credit" ? 1 : side === "debit" ? -1 : 0;
}
