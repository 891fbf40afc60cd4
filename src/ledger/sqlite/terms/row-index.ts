import type { Database } from "../../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../../ledger.ts";
import { placesOf } from "../../places.ts";
import { factsOf } from "../../row-facts.ts";
import { findableIn } from "../../terms/row-terms.ts";
import { termsEnd } from "../../terms/term.ts";
import { Columns } from "../../records.ts";
import { unindexedFrom } from "./term-reader.ts";
import { TermWriter } from "./term-writer.ts";

/** Rows that are indexed in one transaction. */
const groupRows = 50_000;

/** Indexes the rows that the index lacks, in groups: a kill loses one group. */
export async function indexRows(database: Database, account: LedgerAccount): Promise<void> {
  const { first, last } = placesOf(account);
  for (let from = unindexedFrom(database, account); from !== null; from = unindexedFrom(database, account)) {
    const start = Math.max(first, from);
    await database.commit(() => {
      const records = database.all(
        "SELECT number, raw FROM entries WHERE number >= :start AND number <= :last ORDER BY number LIMIT :count",
        { start, last, count: groupRows },
      );
      const end = writeTerms(database, account, records);
      database.run("UPDATE accounts SET unindexed_from = :next WHERE number = :number", {
        number: account.number,
        next: end === undefined || records.length < groupRows ? null : end + 1,
      });
    });
  }
}

/** Indexes the rows with these numbers, within the caller's transaction. */
export function indexAt(database: Database, account: LedgerAccount, numbers: readonly number[]): void {
  const records = database.all(
    "SELECT number, raw FROM entries WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number",
    { numbers: JSON.stringify(numbers) },
  );
  writeTerms(database, account, records);
}

/** Deletes an account's index, within the caller's transaction. */
export function forgetTerms(database: Database, { number }: LedgerAccount): void {
  database.run(
    `DELETE FROM terms WHERE number / ${termsEnd} IN (SELECT number FROM term_pieces WHERE account = :number)`,
    { number },
  );
  database.run("DELETE FROM term_pieces WHERE account = :number", { number });
  database.run("UPDATE accounts SET unindexed_from = 0 WHERE number = :number", { number });
}

/** @returns the last row's number */
function writeTerms(database: Database, account: LedgerAccount, records: readonly unknown[]): number | undefined {
  const terms = new TermWriter(database, account.number);
  let last: number | undefined;
  for (const record of records) {
    const columns = new Columns(record);
    const row = columns.row("raw");
    last = columns.number("number");
    terms.add(last, findableIn(row, factsOf(row, account.kind)));
  }
  terms.finish();
  return last;
}
