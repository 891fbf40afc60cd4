import type { PostgresValue, Statement } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { AccountKind, LedgerAccount } from "../ledger.ts";
import { Columns } from "../records.ts";
import { factsOf } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";
import { withoutAccount } from "../terms/row-terms.ts";
import type { Sought, Term } from "../terms/term.ts";
import { termsOf } from "./entry-batch.ts";

/** Numbers that are read in one go: more than `find` shows. */
const numbersMax = 20_000;
const withoutTerms = "FROM partner.ledger_entries WHERE account = $1 AND terms IS NULL";
const pageRows = 2_000;
/** With more, the server would compare every term of every row with each of them. */
const singleMaxCount = 100;
/** `IS TRUE` keeps the server from joining: it hashes what is sought. */
const oneOfMany = "EXISTS (SELECT FROM unnest(terms) AS term WHERE (term IN (SELECT unnest($3::integer[]))) IS TRUE)";

/**
 * The numbers of rows that may match, ascending, in batches; undefined where the index can't tell: it lacks rows, or a
 * set has no term besides the account's number.
 */
export async function numbersWith(
  database: SharedDatabase,
  account: LedgerAccount,
  asked: Sought,
): Promise<AsyncIterable<readonly number[]> | undefined> {
  const sought = withoutAccount(asked, account.accountNo);
  if (sought.some((terms) => terms.length === 0)) return undefined;
  const [lacking] = await database.read(`SELECT ${withoutTerms} LIMIT 1`, [account.number]);
  return lacking === undefined ? stretchesOf(database, account, sought) : undefined;
}

async function* stretchesOf(
  database: SharedDatabase,
  { number: account }: LedgerAccount,
  sought: Sought,
): AsyncGenerator<readonly number[]> {
  const single = sought.flatMap((terms) => (terms.length === 1 ? terms : []));
  const several = sought.filter((terms) => terms.length > 1);
  const conditions = [
    single.length > singleMaxCount ? oneOfMany : "terms && $3::integer[]",
    ...several.map((_, index) => `terms @> $${index + 4}::integer[]`),
  ];
  // Ordered by an expression, or the server may scan all rows by number to find a few.
  const sql = `SELECT number FROM partner.ledger_entries
    WHERE account = $1 AND number > $2 AND gone_at IS NULL AND (${conditions.join(" OR ")})
    ORDER BY number + 0 LIMIT ${numbersMax}`;
  for (let after = 0; ;) {
    const given: PostgresValue[] = [account, after, arrayOf(single), ...several.map(arrayOf)];
    const records = await database.read(sql, given);
    const numbers = records.map((record) => new Columns(record).number("number"));
    if (numbers.length > 0) yield numbers;
    after = numbers.at(-1) ?? 0;
    if (numbers.length < numbersMax) return;
  }
}

/** The statement that adds the next page of missing rows to the index; undefined where none are missing. */
export async function lackingTerms(
  database: SharedDatabase,
  { number: account, kind }: LedgerAccount,
): Promise<Statement | undefined> {
  const records = await database.read(`SELECT number, raw ${withoutTerms} ORDER BY number LIMIT ${pageRows}`, [
    account,
  ]);
  if (records.length === 0) return undefined;
  const rows = records.map((record) => termsIn(database, new Columns(record), kind));
  return {
    text: `UPDATE partner.ledger_entries AS e SET terms = found.terms::integer[]
      FROM unnest($1::bigint[], $2::text[]) AS found (number, terms) WHERE e.number = found.number`,
    values: [rows.map(({ number }) => number), rows.map(({ terms }) => terms)],
  };
}

function termsIn(database: SharedDatabase, columns: Columns, kind: AccountKind) {
  try {
    const row = decodeRow(columns.text("raw"));
    return { number: String(columns.number("number")), terms: termsOf(row, factsOf(row, kind)) };
  } catch (error) {
    throw database.explain(error);
  }
}

function arrayOf(terms: readonly Term[]): readonly string[] {
  return terms.map(String);
}
