import type { Database, Parameters } from "../storage/database.ts";
import { Damage } from "../storage/trouble.ts";
import { Decimal } from "../values/decimal.ts";
import { namesOfAccount } from "./account-name.ts";
import type { SeenRow } from "./journal.ts";
import type { MovementKey, StatementProof } from "./movement.ts";
import type { OrderKeys } from "./order-keys.ts";
import { nearForm } from "./order-keys.ts";
import type { EventRow, MovementRow } from "./row.ts";
import { eventColumns, identityColumns, movementColumns, openRow, sealRow } from "./row.ts";
import type { Sheet, Unnumbered } from "./sheet.ts";
import type { Spending, Sums } from "./spending.ts";
import { addSums } from "./spending.ts";

const movementNames = Object.keys(movementColumns);
const insertMovement = insertInto("movements", [...movementNames, "seal"]);
const changing = [...movementNames.filter((name) => !identityColumns.has(name)), "seal"];
const updateMovement = `UPDATE movements SET ${changing.map((name) => `${name} = :${name}`).join(", ")}
  WHERE number = :number AND claim = :held`;
const insertEvent = insertInto("events", [...Object.keys(eventColumns), "seal"]);

/** So many of the orders that could be the same payment are looked at, the newest first. */
export const aroundMaxRows = 20;
const namesSql = "SELECT value FROM json_each(:names)";

/** The rows of movements and of their history in SQLite. Everything that writes is called inside of a transaction. */
export class SqliteRows implements Sheet {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  byId(id: string): MovementRow | undefined {
    return rowOf(this.#database.get("SELECT * FROM movements WHERE id = :id", { id }));
  }

  /** What stands under any name of the account; where it does twice, what may have moved money, and the newest. */
  byKey({ scope, kind, reference }: MovementKey): MovementRow | undefined {
    const sql = `SELECT * FROM movements WHERE reference = :reference AND kind = :kind AND scope IN (${namesSql})
      ORDER BY state IN ('unsent', 'refused'), number DESC LIMIT 1`;
    return rowOf(this.#database.get(sql, { reference, kind, names: this.#names(scope) }));
  }

  /** All names of an account that the journal knows, and this one. */
  namesOf(scope: string): readonly string[] {
    return namesOfAccount(scope, this.accounts());
  }

  accounts(): string[] {
    if (!this.#hasAccounts()) return this.#database.all("SELECT DISTINCT scope FROM movements").map(scopeIn);
    return this.#database.all("SELECT scope FROM accounts ORDER BY scope").map(scopeIn);
  }

  /** Orders of the account that one of these words is the reference or the service's id of. */
  knownAs(scope: string, words: readonly string[]): MovementRow[] {
    const sql = `SELECT * FROM movements WHERE scope IN (${namesSql}) AND number IN (
      SELECT number FROM movements WHERE reference IN (SELECT value FROM json_each(:words))
      UNION SELECT number FROM movements
        WHERE transaction_id IS NOT NULL AND transaction_id IN (SELECT value FROM json_each(:words)))`;
    return this.#rows(sql, { names: this.#names(scope), words: JSON.stringify(words) });
  }

  /** What has the same kind, account, payer, receiver and amount, opened then or later. */
  likes(like: string, since: number): MovementRow[] {
    const sql = `SELECT m.* FROM order_keys k JOIN movements m ON m.number = k.movement
      WHERE k.like_key = :like AND m.opened_at >= :since ORDER BY m.number`;
    return this.#rows(sql, { like, since });
  }

  around({ near, like }: OrderKeys): { readonly near: MovementRow[]; readonly like: MovementRow[] } {
    const from = "SELECT m.* FROM order_keys k JOIN movements m ON m.number = k.movement";
    return {
      near: this.#rows(`${from} WHERE k.near_key = :near ORDER BY m.number DESC LIMIT ${aroundMaxRows}`, { near }),
      like: this.#rows(
        `SELECT * FROM (${from} WHERE k.like_key = :like AND m.settled_at IS NULL
           ORDER BY m.number DESC LIMIT ${aroundMaxRows})
         UNION SELECT * FROM (${from} WHERE k.like_key = :like ORDER BY m.number DESC LIMIT ${aroundMaxRows})`,
        { like },
      ),
    };
  }

  /** What was seen under references that are written like this one. */
  seen(scope: string, form: string): SeenRow[] {
    const sql = `SELECT * FROM seen WHERE near_form = :form AND scope IN (${namesSql}) LIMIT ${aroundMaxRows}`;
    return this.#database.all(sql, { form, names: this.#names(scope) }).map(seenOf);
  }

  addSeen({ scope, accountNo, reference, key, row }: SeenRow): boolean {
    const sql = `INSERT OR IGNORE INTO seen (row_key, reference, near_form, scope, account_no, row)
      VALUES (:key, :reference, :form, :scope, :accountNo, :row)`;
    return this.#database.run(sql, { key, reference, form: nearForm(reference), scope, accountNo, row }) > 0;
  }

  /** The ids of the orders that rows prove, by the row's key. */
  provedBy(keys: readonly string[]): Map<string, string> {
    const sql = `SELECT p.row_key, m.id FROM proofs p JOIN movements m ON m.number = p.movement
      WHERE p.row_key IN (SELECT value FROM json_each(:keys))`;
    const records = this.#database.all(sql, { keys: JSON.stringify(keys) });
    return new Map(records.map((record) => [textIn(record, "row_key"), textIn(record, "id")]));
  }

  /** The numbers of the movements that these rows prove. */
  proving(proofs: readonly StatementProof[] = []): number[] {
    if (proofs.length === 0) return [];
    const sql = "SELECT movement FROM proofs WHERE row_key IN (SELECT value FROM json_each(:keys))";
    const keys = JSON.stringify(proofs.map(({ key }) => key));
    return this.#database.all(sql, { keys }).map((record) => numberIn(record, "movement"));
  }

  addProofs(movement: number, proofs: readonly StatementProof[]): void {
    for (const { key, row } of proofs)
      this.#database.run("INSERT OR IGNORE INTO proofs (row_key, movement, row) VALUES (:key, :movement, :row)", {
        key,
        movement,
        row,
      });
  }

  /** What left an account on a day or later, by all of its names. */
  spentOn(scope: string, day: string): Sums {
    const sql = `SELECT currency, amount FROM spendings WHERE day >= :day AND scope IN (${namesSql})`;
    const records = this.#database.all(sql, { day, names: this.#names(scope) });
    return records.reduce<Sums>((sums, record) => addSums(sums, sumIn(record)), new Map());
  }

  addSpending({ scope, day, sums }: Spending): void {
    const sql = "SELECT currency, amount FROM spendings WHERE scope = :scope AND day = :day AND currency = :currency";
    for (const [currency, amount] of sums) {
      const before = this.#database.get(sql, { scope, day, currency });
      const sum = before === undefined ? amount : amount.add(sumIn(before).get(currency) ?? Decimal.zero);
      this.#database.run(
        `INSERT INTO spendings (scope, day, currency, amount) VALUES (:scope, :day, :currency, :amount)
          ON CONFLICT (scope, day, currency) DO UPDATE SET amount = excluded.amount`,
        { scope, day, currency, amount: sum.toString() },
      );
    }
  }

  /** Orders of that day that wait to be sent: their process may have ended without a word. */
  preparedSince(scope: string, since: number): MovementRow[] {
    const sql = `SELECT * FROM movements WHERE settled_at IS NULL AND state = 'prepared' AND opened_at >= :since
      AND scope IN (${namesSql})`;
    return this.#rows(sql, { since, names: this.#names(scope) });
  }

  changeKeys(movement: number, { like, near }: OrderKeys): void {
    this.#database.run(
      `INSERT INTO order_keys (movement, like_key, near_key) VALUES (:movement, :like, :near)
        ON CONFLICT (movement) DO UPDATE SET like_key = excluded.like_key, near_key = excluded.near_key`,
      { movement, like, near },
    );
  }

  byReference(reference: string): MovementRow[] {
    const rows = this.#database.all("SELECT * FROM movements WHERE reference = :reference ORDER BY number", {
      reference,
    });
    return rows.map((row) => openRow(movementColumns, row));
  }

  events(movement: number): EventRow[] {
    const rows = this.#database.all("SELECT * FROM events WHERE movement = :movement ORDER BY number", { movement });
    return rows.map((row) => openRow(eventColumns, row));
  }

  isFree(id: string): boolean {
    return this.#database.get("SELECT 1 FROM movements WHERE id = :id", { id }) === undefined;
  }

  addMovement(row: Unnumbered<MovementRow>, keys: OrderKeys): MovementRow {
    const sealed = sealRow(movementColumns, { ...row, number: this.#nextNumber("movements") });
    this.#database.run(insertMovement, sealed);
    this.#database.run("INSERT OR IGNORE INTO accounts (scope) VALUES (:scope)", { scope: row.scope });
    this.changeKeys(sealed.number, keys);
    return sealed;
  }

  changeMovement(row: MovementRow, held: string): MovementRow {
    const sealed = sealRow(movementColumns, row);
    const bound = Object.entries(sealed).filter(([name]) => name === "number" || !identityColumns.has(name));
    const changed = this.#database.run(updateMovement, { ...Object.fromEntries(bound), held });
    if (changed !== 1) throw new Damage("an order changed under our hands");
    return sealed;
  }

  addEvent(row: Unnumbered<EventRow>): void {
    this.#database.run(insertEvent, sealRow(eventColumns, { ...row, number: this.#nextNumber("events") }));
  }

  /** False in a journal of version 1 that can only be read. */
  #hasAccounts(): boolean {
    return this.#database.get("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'") !== undefined;
  }

  #names(scope: string): string {
    return JSON.stringify(this.namesOf(scope));
  }

  #rows(sql: string, parameters: Parameters): MovementRow[] {
    return this.#database.all(sql, parameters).map((row) => openRow(movementColumns, row));
  }

  /** Rows are numbered without gaps, so that a missing one is noticed. */
  #nextNumber(table: "movements" | "events"): number {
    return this.#lastNumber(table) + 1;
  }

  #lastNumber(table: "movements" | "events"): number {
    const last = this.#database.value(`SELECT max(number) FROM ${table}`);
    if (last !== null && typeof last !== "number") throw new Damage("its rows are not numbered");
    return last ?? 0;
  }
}

function scopeIn(record: unknown): string {
  return textIn(record, "scope");
}

function seenOf(record: unknown): SeenRow {
  return {
    scope: textIn(record, "scope"),
    accountNo: textIn(record, "account_no"),
    reference: textIn(record, "reference"),
    key: textIn(record, "row_key"),
    row: textIn(record, "row"),
  };
}

function textIn(record: unknown, name: string): string {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value !== "string") throw new Damage("a row holds no text where one belongs");
  return value;
}

function sumIn(record: unknown): Sums {
  const amount = Decimal.parse(textIn(record, "amount"));
  if (amount === undefined) throw new Damage("a sum of it isn't a number");
  return new Map([[textIn(record, "currency"), amount]]);
}

function numberIn(record: unknown, name: string): number {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value !== "number") throw new Damage("its rows are not numbered");
  return value;
}

function rowOf(record: unknown): MovementRow | undefined {
  return record === undefined ? undefined : openRow(movementColumns, record);
}

function insertInto(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`;
}
