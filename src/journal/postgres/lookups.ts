import type { PostgresRecord, PostgresValue, Statement } from "../../host/databases/postgres.ts";
import type { Transaction } from "../../storage/postgres/database.ts";
import type { SeenRow } from "../journal.ts";
import type { StatementProof } from "../movement.ts";
import { sha256 } from "../requests/request-hash.ts";
import { lockSlots } from "./lock-slots.ts";
import { nearForm } from "../lookups/order-keys.ts";
import { isStorable, textColumn } from "../history/row.ts";
import { numberIn } from "./rows.ts";
import type { CurrencySums } from "../spending.ts";
import { addSums, sumIn } from "../spending.ts";

export const byIdSql = "SELECT * FROM partner.movements WHERE id = $1";
export const accountsSql = "SELECT scope FROM partner.accounts ORDER BY scope";
/**
 * Locks are held until the transaction is over, and taken in one order, so that no two transactions wait for each
 * other.
 */
const lockSql = "SELECT slot FROM partner.lock_slots WHERE slot = ANY ($1::integer[]) ORDER BY slot FOR UPDATE";
const slotDigits = 8;

export const likesSince = `SELECT m.* FROM partner.order_keys k JOIN partner.movements m ON m.number = k.movement
  WHERE k.like_key = ANY ($1::text[]) AND m.opened_at >= $2 ORDER BY m.number`;
export const knownAsSql = `SELECT * FROM partner.movements WHERE reference = ANY ($1::text[])
  UNION SELECT * FROM partner.movements WHERE transaction_id IS NOT NULL AND transaction_id = ANY ($1::text[])`;
export const provedBySql = `SELECT p.row_key, m.id FROM partner.proofs p
  JOIN partner.movements m ON m.number = p.movement WHERE p.row_key = ANY ($1::text[])`;
export const proofsOfSql = `SELECT p."row" FROM partner.proofs p
  JOIN partner.movements m ON m.number = p.movement WHERE m.id = $1 ORDER BY p.row_key`;
export const spentSql =
  "SELECT currency, amount::text AS amount FROM partner.spendings WHERE scope = ANY ($1::text[]) AND day >= $2";
export const preparedSql = `SELECT * FROM partner.movements WHERE settled_at IS NULL AND state = 'prepared'
  AND scope = ANY ($1::text[]) AND opened_at >= $2`;
const addAccountsSql = "INSERT INTO partner.accounts (scope) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING";
const addSeenSql = `INSERT INTO partner.seen (row_key, reference, near_form, scope, account_no, "row")
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1 AS added`;

/** Waits until no other transaction has a lock of one of these names, and takes them; names may share a lock. */
export function lockStatements(names: readonly string[]): Statement[] {
  const slots = names.map((name) => Number.parseInt(sha256(name).slice(0, slotDigits), 16) % lockSlots);
  return [{ text: lockSql, values: [[...new Set(slots)].map(String)] }];
}

export function scopesIn(records: readonly PostgresRecord[]): string[] {
  return records.map((record) => textColumn(record, "scope"));
}

/** Locks rows of statements and asks which movements they prove. */
export function provingStatements(proofs: readonly StatementProof[]): Statement[] {
  const keys = proofs.map(({ key }) => key);
  return [
    ...lockStatements(keys.map((key) => `partner proof ${key}`)),
    { text: "SELECT movement FROM partner.proofs WHERE row_key = ANY ($1::text[])", values: [keys] },
  ];
}

export function provingIn(answers: readonly (readonly PostgresRecord[])[]): number[] {
  return (answers.at(-1) ?? []).map((record) => numberIn(record, "movement"));
}

/** Adds names of accounts. */
export function addAccountsStatement(scopes: readonly string[]): Statement {
  return { text: addAccountsSql, values: [[...new Set(scopes)]] };
}

export function addSeenStatement({ key, reference, scope, accountNo, row }: SeenRow): Statement {
  return { text: addSeenSql, values: [key, reference, nearForm(reference), scope, accountNo, row] };
}

/** What left, by currency. */
export function sumsIn(records: readonly PostgresRecord[]): CurrencySums {
  return records.reduce<CurrencySums>((sums, record) => addSums(sums, sumIn(record)), new Map());
}

export function isSeenStorable({ key, reference, scope, accountNo, row }: SeenRow): boolean {
  return [key, reference, scope, accountNo, row].every((text) => isStorable(text));
}

/** The rows of one statement, within a transaction. */
export async function readIn(
  transaction: Transaction,
  text: string,
  values: readonly PostgresValue[],
): Promise<readonly PostgresRecord[]> {
  return (await transaction.run({ text, values })).at(0) ?? [];
}
