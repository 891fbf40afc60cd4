import type { Statement } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { AccountKind, LedgerAccount } from "../ledger.ts";
import { Columns } from "../records.ts";
import { asRedacted, redactedRow } from "../redacted-row.ts";
import { factsOf } from "../row-facts.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";
import { storable, termsOf } from "./entry-batch.ts";

const pageMaxRows = 1_000;
const entriesSql = `SELECT number, raw FROM partner.ledger_entries
  WHERE account = $1 AND number > $2 AND day < $3 ORDER BY number LIMIT ${pageMaxRows}`;
const formerSql = `SELECT f.entry, f.until, f.raw, e.day FROM partner.ledger_former f
  JOIN partner.ledger_entries e ON e.number = f.entry WHERE e.account = $1 AND e.day < $2`;
const changesSql = `SELECT number, day, old, new FROM partner.ledger_changes WHERE account = $1 AND day < $2`;
const redactEntry = `UPDATE partner.ledger_entries SET raw = $2, narration = $3, counterparty = $4,
  payment_reference = $5, terms = $6::integer[] WHERE number = $1`;

/** Statements that remove personal data from rows of days before the given one: one for each row that has some. */
export async function* personalRows(
  database: SharedDatabase,
  accounts: readonly LedgerAccount[],
  day: string,
): AsyncGenerator<Statement> {
  for (const { number: account, kind } of accounts)
    for (let after = -Number.MAX_SAFE_INTEGER; ;) {
      const page = await database.read(entriesSql, [account, after, day]);
      for (const record of page) {
        const columns = new Columns(record);
        after = columns.number("number");
        const raw = withoutPeople(columns.text("raw"), kind, day);
        if (raw === columns.text("raw")) continue;
        const row = decodeRow(raw);
        const facts = factsOf(row, kind);
        const texts = [facts.narration, facts.counterparty, facts.paymentReference].map((text) => storable(text));
        yield { text: redactEntry, values: [after, raw, ...texts, termsOf(row, facts)] };
      }
      if (page.length < pageMaxRows) break;
    }
}

/** The same for former versions of rows, and for changes. */
export async function* personalChanges(
  database: SharedDatabase,
  accounts: readonly LedgerAccount[],
  day: string,
): AsyncGenerator<Statement> {
  for (const { number: account, kind } of accounts) {
    for (const record of await database.read(formerSql, [account, day])) {
      const columns = new Columns(record);
      const raw = withoutPeople(columns.text("raw"), kind, limitOfDayless(columns, day));
      const values = [columns.number("entry"), columns.number("until"), raw];
      yield { text: "UPDATE partner.ledger_former SET raw = $3 WHERE entry = $1 AND until = $2", values };
    }
    for (const record of await database.read(changesSql, [account, day])) {
      const columns = new Columns(record);
      const texts = ["old", "new"].map((name) => {
        const text = columns.textOrNull(name);
        return text === null ? null : withoutPeople(text, kind, limitOfDayless(columns, day));
      });
      const values = [columns.number("number"), ...texts];
      yield { text: "UPDATE partner.ledger_changes SET old = $2, new = $3 WHERE number = $1", values };
    }
  }
}

/**
 * The day before which a row without a counted day is redacted by its own dates; undefined where its record has a day.
 */
function limitOfDayless(columns: Columns, before: string): string | undefined {
  return columns.text("day") === "" ? before : undefined;
}

/** @param before leaves rows of this day and later as they are; default: redacts every row */
function withoutPeople(raw: string, kind: AccountKind, before?: string): string {
  const row = decodeRow(raw);
  return encodeRow(before === undefined ? redactedRow(row, kind) : asRedacted(row, kind, before));
}
