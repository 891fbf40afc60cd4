import type { Database } from "../../storage/sqlite/database.ts";
import type { AccountKind, LedgerAccount } from "../ledger.ts";
import { placesOf } from "../places.ts";
import { Columns } from "../records.ts";
import { asRedacted, redactedRow } from "../redacted-row.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";

const pageMaxRows = 5_000;
const entriesSql = `SELECT number, raw FROM entries
  WHERE number > :after AND number <= :last AND day < :day ORDER BY number LIMIT ${pageMaxRows}`;
const changesSql = "SELECT number, day, old, new FROM changes WHERE account = :account AND day < :day";

/**
 * Calls `use` for each row of days before the given one that has personal data, with the redacted row.
 * @returns how many there are
 */
export function eachPersonal(
  database: Database,
  account: LedgerAccount,
  day: string,
  use: (number: number, redacted: string) => void,
): number {
  const { first, last } = placesOf(account);
  let count = 0;
  for (let after = first - 1; ;) {
    const page = database.all(entriesSql, { after, last, day });
    for (const record of page) {
      const columns = new Columns(record);
      after = columns.number("number");
      const redacted = withoutPeople(columns.text("raw"), account.kind, day);
      if (redacted === undefined) continue;
      count += 1;
      use(after, redacted);
    }
    if (page.length < pageMaxRows) return count;
  }
}

/**
 * Removes personal data from an account's rows and changes, within the caller's transaction.
 * @returns how many rows it was removed from
 */
export function redactAccount(database: Database, account: LedgerAccount, day: string): number {
  const count = eachPersonal(database, account, day, (number, raw) => {
    database.run("UPDATE entries SET raw = :raw WHERE number = :number", { number, raw });
  });
  for (const record of database.all(changesSql, { account: account.number, day })) {
    const columns = new Columns(record);
    const before = columns.text("day") === "" ? day : undefined;
    const [old, now] = ["old", "new"].map((name) => {
      const text = columns.textOrNull(name);
      return text === null ? null : (withoutPeople(text, account.kind, before) ?? text);
    });
    database.run("UPDATE changes SET old = :old, new = :now WHERE number = :number", {
      number: columns.number("number"),
      old: old ?? null,
      now: now ?? null,
    });
  }
  return count;
}

/**
 * The redacted row; undefined where there is nothing to redact.
 * @param before leaves rows of this day and later as they are; default: redacts every row
 */
function withoutPeople(raw: string, kind: AccountKind, before?: string): string | undefined {
  const row = decodeRow(raw);
  const redacted = encodeRow(before === undefined ? redactedRow(row, kind) : asRedacted(row, kind, before));
  return redacted === raw ? undefined : redacted;
}
