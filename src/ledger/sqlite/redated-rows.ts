import type { Database } from "../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../ledger.ts";
import { placesOf } from "../places.ts";
import { countDays } from "./day-ranges.ts";
import { accountOf, Columns } from "../records.ts";
import { factsOf } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";

/** A ledger that is being migrated has no table of closures yet. */
const accounts = "SELECT *, NULL AS closure_evidence, NULL AS closure_by, NULL AS closure_at FROM accounts";
/** Rows whose value date has a time zone other than that of Dar es Salaam. */
const elsewhere = `SELECT number, day, raw FROM (SELECT number, day, raw,
    CASE WHEN json_valid(raw) THEN raw ->> '$.valueDate' END AS time
    FROM entries WHERE number >= :first AND number <= :last)
  WHERE time GLOB '*:*' AND time NOT GLOB '*+03:00'
    AND (time GLOB '*Z' OR time GLOB '*[+-][0-9][0-9]:[0-9][0-9]' OR time GLOB '*[+-][0-9][0-9][0-9][0-9]')`;

/**
 * Gives rows whose value date has another time zone their day in Dar es Salaam; earlier versions stored the day as
 * written.
 */
export function redate(database: Database): void {
  for (const account of database.all(accounts).map((record) => accountOf(record)))
    if (redateRows(database, account) > 0) countDays(database, account);
}

/** @returns how many rows have another day now */
function redateRows(database: Database, account: LedgerAccount): number {
  let count = 0;
  for (const record of database.all(elsewhere, placesOf(account))) {
    const columns = new Columns(record);
    const { day } = factsOf(decodeRow(columns.text("raw")), account.kind);
    if (day === columns.text("day")) continue;
    database.run("UPDATE entries SET day = :day WHERE number = :number", { day, number: columns.number("number") });
    count += 1;
  }
  return count;
}
