import type { Database } from "../../storage/sqlite/database.ts";
import type { LedgerAccount } from "../ledger.ts";
import { placesOf } from "../places.ts";

/** Rebuilds an account's `day_ranges`, within the caller's transaction. */
export function countDays(database: Database, account: LedgerAccount): void {
  const { number } = account;
  database.run("DELETE FROM day_ranges WHERE account = :number", { number });
  database.run(
    `INSERT INTO day_ranges SELECT :number, day, min(number), max(number), count(*) FROM entries
     WHERE number >= :first AND number <= :last GROUP BY day`,
    { ...placesOf(account), number },
  );
}
