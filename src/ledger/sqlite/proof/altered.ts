import { limitYoungGeneration } from "../../../host/process/gc-tuning.ts";
import type { Database } from "../../../storage/sqlite/database.ts";
import type { AlteredRow, LedgerAccount } from "../../ledger.ts";
import { placesOf } from "../../places.ts";
import { Columns } from "../../records.ts";
import { factsOf } from "../../row-facts.ts";
import { storedFigures } from "../entries/entry.ts";

const pageRows = 1_000;
const stored = `SELECT e.number, e.day, e.reference, e.side, CAST(e.change_minor AS TEXT) AS change,
    CAST(e.balance_minor AS TEXT) AS balance, e.is_fee, e.raw,
    d.day IS NOT NULL AND e.number >= d.first AND e.number <= d.last AS is_listed
  FROM entries AS e LEFT JOIN day_ranges AS d ON d.account = :account AND d.day = e.day
  WHERE e.number >= :first AND e.number <= :last AND e.gone_at IS NULL ORDER BY e.number LIMIT ${pageRows}`;

/** The first row of an account whose columns differ from its text, or that `day_ranges` does not cover. */
export function alteredRow(database: Database, account: LedgerAccount): AlteredRow | undefined {
  let { first, last } = placesOf(account);
  for (let count = pageRows; count === pageRows;) {
    limitYoungGeneration();
    const records = database.all(stored, { account: account.number, first, last });
    count = records.length;
    const altered = database.attempt(() => {
      for (const record of records) {
        const columns = new Columns(record);
        first = columns.number("number") + 1;
        if (isAltered(columns, account)) return { reference: columns.text("reference") };
      }
      return undefined;
    });
    if (altered !== undefined) return altered;
  }
  return undefined;
}

function isAltered(columns: Columns, account: LedgerAccount): boolean {
  const facts = factsOf(columns.row("raw"), account.kind);
  const { day, side, change, balance, isFee } = storedFigures(facts, account);
  return (
    columns.number("is_listed") !== 1 ||
    columns.text("day") !== day ||
    columns.text("reference") !== facts.reference ||
    columns.number("side") !== side ||
    columns.textOrNull("change") !== (change?.toString() ?? null) ||
    columns.textOrNull("balance") !== (balance?.toString() ?? null) ||
    (columns.number("is_fee") === 1) !== isFee
  );
}
