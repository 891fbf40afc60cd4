import type { Statement } from "../../host/databases/postgres.ts";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { RowFacts } from "../row-facts.ts";
import { factsOf } from "../row-facts.ts";
import { encodeRow } from "../stored-row.ts";
import { findableIn, rowTerms } from "../terms/row-terms.ts";
import type { Term } from "../terms/term.ts";

/** The columns of an entry, and their PostgreSQL types. */
const columns = [
  ["number", "bigint"],
  ["day", "text"],
  ["time", "text"],
  ["reference", "text"],
  ["narration", "text"],
  ["counterparty", "text"],
  ["payment_reference", "text"],
  ["side", "integer"],
  ["change", "numeric"],
  ["balance", "numeric"],
  ["is_fee", "boolean"],
  ["fee_of", "text"],
  ["raw", "text"],
  // Arrays of different lengths can't be nested in PostgreSQL: each comes as text.
  ["terms", "text"],
] as const;
const names = columns.map(([name]) => name).join(", ");
const cells = columns.map(([name]) => (name === "terms" ? "entry.terms::integer[]" : `entry.${name}`)).join(", ");
const arrays = columns.map(([, type], index) => `$${index + 3}::${type}[]`).join(", ");
const insertEntries = `INSERT INTO partner.ledger_entries (account, seen_at, ${names})
  SELECT $1::bigint, $2::bigint, ${cells} FROM unnest(${arrays}) AS entry (${names})`;

/** A row and its place. */
export interface PlacedRow {
  readonly row: JsonObject;
  readonly place: number;
}

/** One statement that inserts rows into the ledger, with their indexed values. */
export function entryBatch(account: LedgerAccount, rows: readonly PlacedRow[], seenAt: number): Statement {
  const own = rows.map((row) => cellsOf(row, account));
  const values = columns.map((_, index) => own.map((cell) => cell[index] ?? null));
  return { text: insertEntries, values: [account.number, seenAt, ...values] };
}

function cellsOf({ row, place }: PlacedRow, { kind }: LedgerAccount): readonly (string | null)[] {
  const facts = factsOf(row, kind);
  const { day, time, reference, narration, counterparty, paymentReference, side, change, balance } = facts;
  return [
    String(place),
    day,
    storable(time),
    storable(reference),
    storable(narration),
    storable(counterparty),
    storable(paymentReference),
    side === "credit" ? "1" : side === "debit" ? "-1" : "0",
    change?.toString() ?? null,
    balance?.toString() ?? null,
    String(facts.isFee),
    storable(facts.feeOf),
    encodeRow(row),
    termsOf(row, facts),
  ];
}

/** The terms that a row can be found by, as the text of a PostgreSQL array. */
export function termsOf(row: JsonObject, facts: RowFacts): string {
  const terms = new Set<Term>();
  rowTerms(findableIn(row, facts), (term) => terms.add(term));
  return `{${[...terms].join(",")}}`;
}

/** PostgreSQL's texts can't contain NUL. The row itself can, as its JSON has it as an escape. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
