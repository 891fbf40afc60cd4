import type { Database } from "../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../ledger.ts";
import { placesOf } from "../places.ts";
import { Columns } from "../records.ts";
import { factsOf, minorUnits } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";
import { entryOf } from "./entries/entry.ts";

/**
 * Recomputes the smallest units of all rows, within the caller's transaction: the service named the currency only after
 * these rows came.
 */
export function recountMinorUnits(database: Database, account: LedgerAccount, digits: number): void {
  const { first, last } = placesOf(account);
  const within = { first, last };
  for (const record of database.all(
    "SELECT number, raw FROM entries WHERE number >= :first AND number <= :last",
    within,
  )) {
    const columns = new Columns(record);
    const { change, balance } = entryOf(columns.row("raw"), account);
    const sql = "UPDATE entries SET change_minor = :change, balance_minor = :balance WHERE number = :number";
    database.run(sql, { number: columns.number("number"), change, balance });
  }
  const former = "SELECT entry, until, balances FROM former WHERE entry >= :first AND entry <= :last";
  for (const record of database.all(former, within)) {
    const columns = new Columns(record);
    const { balance } = factsOf(decodeRow(columns.text("balances")), account.kind);
    database.run("UPDATE former SET balance_minor = :balance WHERE entry = :entry AND until = :until", {
      entry: columns.number("entry"),
      until: columns.number("until"),
      balance: minorUnits(balance, digits) ?? null,
    });
  }
  database.run("UPDATE accounts SET digits = :digits WHERE number = :number", { digits, number: account.number });
}
