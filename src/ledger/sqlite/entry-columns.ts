import type { SQLInputValue } from "node:sqlite";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import { encodeRow } from "../stored-row.ts";
import { digitsOf, factsOf, minorUnits } from "../row-facts.ts";

const sides = { credit: 1, debit: -1 } as const;

export const insertEntry = `INSERT INTO entries
  (account, place, day, reference, side, amount, change_minor, balance, balance_minor, is_fee, seen_at, raw)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`;

/** What stands beside a row in the columns of `insertEntry`. */
export function entryColumns(
  account: LedgerAccount,
  row: JsonObject,
  place: number,
  seenAt: number,
): readonly SQLInputValue[] {
  const { day, reference, side, change, balance, isFee } = factsOf(row, account.kind);
  const digits = digitsOf(account.currency);
  return [
    account.number,
    place,
    day,
    reference,
    side === undefined ? 0 : sides[side],
    change?.abs().toString() ?? null,
    minorUnits(change, digits) ?? null,
    balance?.toString() ?? null,
    minorUnits(balance, digits) ?? null,
    isFee ? 1 : 0,
    seenAt,
    encodeRow(row),
  ];
}
