import type { Database } from "../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../ledger.ts";
import { middleOf, placesOf } from "../places.ts";
import type { Edits } from "../writer.ts";
import { countDays } from "./day-ranges.ts";
import { indexAt } from "./terms/row-index.ts";

/** Tables that refer to a row by its number. */
const references = ["former", "acceptances"];

/** Moves rows to other places, within the caller's transaction. */
export function moveRows(database: Database, account: LedgerAccount, moves: Edits["moves"]): void {
  if (moves.length === 0) return;
  database.execute("PRAGMA defer_foreign_keys = ON");
  // A row may move to a place that another one leaves, so all of them first move to unused negative numbers.
  for (const { number } of moves) move(database, number, -number);
  for (const { number, place } of moves) {
    move(database, -number, place);
    database.run(
      `UPDATE day_ranges SET first = min(first, :place), last = max(last, :place)
       WHERE account = :account AND day = (SELECT day FROM entries WHERE number = :place)`,
      { account: account.number, place },
    );
  }
  indexAt(
    database,
    account,
    moves.map(({ place }) => place),
  );
}

function move(database: Database, number: number, place: number): void {
  database.run("UPDATE entries SET number = :place WHERE number = :number", { number, place });
  for (const table of references)
    database.run(`UPDATE ${table} SET entry = :place WHERE entry = :number`, { number, place });
}

/** Gives all rows of an account new places, `step` apart, within the caller's transaction. */
export function spreadRows(database: Database, account: LedgerAccount, step: number): void {
  const { first, last } = placesOf(account);
  const own = { first, last };
  database.execute("PRAGMA defer_foreign_keys = ON");
  database.execute("CREATE TEMP TABLE spread (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)");
  try {
    database.run(
      `INSERT INTO temp.spread SELECT number, :middle + :step * (row_number() OVER (ORDER BY number)
         - (SELECT count(*) / 2 FROM entries WHERE number >= :first AND number <= :last))
       FROM entries WHERE number >= :first AND number <= :last`,
      { ...own, step, middle: middleOf(account) },
    );
    database.run("UPDATE entries SET number = -number WHERE number >= :first AND number <= :last", own);
    database.run(
      "UPDATE entries SET number = spread.new FROM temp.spread AS spread WHERE entries.number = -spread.old",
    );
    for (const table of references)
      database.run(
        `UPDATE ${table} SET entry = spread.new FROM temp.spread AS spread WHERE ${table}.entry = spread.old`,
      );
    countDays(database, account);
  } finally {
    database.execute("DROP TABLE temp.spread");
  }
}
