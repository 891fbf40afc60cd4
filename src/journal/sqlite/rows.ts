import type { Database, Parameters } from "../../storage/sqlite/database.ts";
import { DamageError } from "../../storage/failures.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { SeenRow } from "../journal.ts";
import type { MovementKey, StatementProof } from "../movement.ts";
import type { KeyRow } from "../movement-row.ts";
import { keyRowOf } from "../movement-row.ts";
import { nearForm } from "../lookups/order-keys.ts";
import type { SeenCover } from "../redaction/redacting.ts";
import type { RedactedOrder, StoredOrder } from "../redaction/redacted-order.ts";
import type { ArchivedEvent, EventRow, MovementRow } from "../history/row.ts";
import {
  eventColumns,
  identityColumns,
  isArchivedEvent,
  isStorable,
  movementColumns,
  openEvent,
  openRow,
  sealRow,
  textColumn,
} from "../history/row.ts";
import type { TransactionWriter, Unnumbered } from "../transaction-writer.ts";
import type { Spending, CurrencySums } from "../spending.ts";
import { addSums, sumIn } from "../spending.ts";
import { writerVersion } from "../writers.ts";
import { SqliteLookups } from "./lookups.ts";

const movementNames = Object.keys(movementColumns);
const insertMovement = insertInto("movements", [...movementNames, "seal"]);
const changing = [...movementNames.filter((name) => !identityColumns.has(name)), "seal"];
const updateMovement = `UPDATE movements SET ${changing.map((name) => `${name} = :${name}`).join(", ")}
  WHERE number = :number AND claim = :held`;
const insertEvent = insertInto("events", [...Object.keys(eventColumns), "seal", "writer"]);

const forgetLikes = `UPDATE order_keys SET like_key = 'redacted-' || lower(hex(randomblob(16)))
  WHERE like_key NOT LIKE 'redacted-%' AND movement IN (
    SELECT number FROM movements WHERE opened_at < :before AND request_hash LIKE 'pbkdf2:%')`;
const changeSeen = `UPDATE seen SET row = :row, reference = :reference, near_form = :form
  WHERE row_key = :key AND reference = :former`;
const redactEvent = `UPDATE events SET note = :note, replaced = :replaced, redacted_seal = :redacted_seal,
  line_hash = :line_hash WHERE number = :number`;

const namesSql = "SELECT value FROM json_each(:names)";

/** The rows of movements and of their history in SQLite. Everything that writes is called inside a transaction. */
export class SqliteRows implements TransactionWriter {
  readonly #database: Database;
  readonly lookups: SqliteLookups;

  constructor(database: Database) {
    this.#database = database;
    this.lookups = new SqliteLookups(database);
  }

  byId(id: string): MovementRow | undefined {
    return rowOf(this.#database.get("SELECT * FROM movements WHERE id = :id", { id }));
  }

  /** The movement under any name of the account; of several, one that may have moved money, or else the newest. */
  byKey({ scope, kind, reference }: MovementKey): MovementRow | undefined {
    const sql = `SELECT * FROM movements WHERE reference = :reference AND kind = :kind AND scope IN (${namesSql})
      ORDER BY state IN ('unsent', 'refused'), number DESC LIMIT 1`;
    return rowOf(this.#database.get(sql, { reference, kind, names: this.#names(scope) }));
  }

  tally(): { readonly settled: ReadonlyMap<string, number>; readonly lastAt: number | undefined } {
    const sql = "SELECT state, count(*) AS count FROM movements WHERE settled_at IS NOT NULL GROUP BY state";
    const records = this.#database.all(sql);
    const at = this.#database.value("SELECT opened_at FROM movements ORDER BY number DESC LIMIT 1");
    return {
      settled: new Map(
        records.map((record) => [textColumn(record, "state"), Number(Reflect.get(Object(record), "count"))]),
      ),
      lastAt: typeof at === "number" ? at : undefined,
    };
  }

  /** Keeps a row that was seen under a reference, and the name of its account; false where it is kept already. */
  addSeen({ scope, accountNo, reference, key, row }: SeenRow): boolean {
    if (![scope, accountNo, reference, key, row].every((text) => isStorable(text))) return false;
    this.addAccount(scope);
    const sql = `INSERT OR IGNORE INTO seen (row_key, reference, near_form, scope, account_no, row)
      VALUES (:key, :reference, :form, :scope, :accountNo, :row)`;
    return this.#database.run(sql, { key, reference, form: nearForm(reference), scope, accountNo, row }) > 0;
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
  spentOn(scope: string, day: string): CurrencySums {
    const sql = `SELECT currency, amount FROM spendings WHERE day >= :day AND scope IN (${namesSql})`;
    const records = this.#database.all(sql, { day, names: this.#names(scope) });
    return records.reduce<CurrencySums>((sums, record) => addSums(sums, sumIn(record)), new Map());
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

  changeKeys(movement: number, { like, near, standing, batch }: KeyRow): void {
    this.#database.run(
      `INSERT INTO order_keys (movement, like_key, near_key, standing, batch)
        VALUES (:movement, :like, :near, :standing, :batch) ON CONFLICT (movement) DO UPDATE SET
        like_key = excluded.like_key, near_key = excluded.near_key, standing = excluded.standing, batch = excluded.batch`,
      { movement, like, near, standing, batch },
    );
  }

  changeStanding(movement: number, standing: KeyRow["standing"]): void {
    this.#database.run("UPDATE order_keys SET standing = :standing WHERE movement = :movement", { movement, standing });
  }

  byReference(reference: string): MovementRow[] {
    const rows = this.#database.all("SELECT * FROM movements WHERE reference = :reference ORDER BY number", {
      reference,
    });
    return rows.map((row) => openRow(movementColumns, row));
  }

  events(movement: number): EventRow[] {
    return this.lines(movement).flatMap((row) => (isArchivedEvent(row) ? [] : [row]));
  }

  /** The same with what is left of lines that are in an archive. */
  lines(movement: number): (EventRow | ArchivedEvent)[] {
    const rows = this.#database.all("SELECT * FROM events WHERE movement = :movement ORDER BY number", { movement });
    return rows.map((row) => openEvent(row));
  }

  isFree(id: string): boolean {
    return this.#database.get("SELECT 1 FROM movements WHERE id = :id", { id }) === undefined;
  }

  addMovement(row: Unnumbered<MovementRow>): MovementRow {
    const sealed = sealRow(movementColumns, { ...row, number: this.#nextNumber("movements") });
    this.#database.run(insertMovement, sealed);
    this.addAccount(row.scope);
    this.changeKeys(sealed.number, keyRowOf(sealed));
    return sealed;
  }

  changeMovement(row: MovementRow, held: string): MovementRow {
    const sealed = sealRow(movementColumns, row);
    const bound = Object.entries(sealed).filter(([name]) => name === "number" || !identityColumns.has(name));
    const changed = this.#database.run(updateMovement, { ...Object.fromEntries(bound), held });
    if (changed !== 1) throw new DamageError("an order changed meanwhile");
    return sealed;
  }

  addEvent(row: Unnumbered<EventRow>): void {
    const sealed = sealRow(eventColumns, { ...row, number: this.#nextNumber("events") });
    this.#database.run(insertEvent, { ...sealed, writer: writerVersion });
  }

  redact({ row, events, proofs }: Omit<RedactedOrder, "replaced">): void {
    this.changeMovement(row, row.claim);
    for (const { number, note, replaced, redacted_seal, line_hash } of events)
      this.#database.run(redactEvent, { number, note, replaced, redacted_seal, line_hash });
    for (const { key, row: text } of proofs)
      this.#database.run("UPDATE proofs SET row = :text WHERE row_key = :key", { key, text });
  }

  /** Redacts the rows that were seen; undefined from `without` leaves a row as it is. @returns how many change */
  redactSeen(without: SeenCover, isLook: boolean): number {
    // A journal of version 1 can be looked at.
    if (this.#database.get("SELECT 1 FROM sqlite_schema WHERE name = 'seen'") === undefined) return 0;
    const changed = this.#database.all("SELECT row_key, reference, row FROM seen").flatMap((seen) => {
      const [key, former, row] = [textColumn(seen, "row_key"), textColumn(seen, "reference"), textColumn(seen, "row")];
      const covered = without({ reference: former, row });
      return covered === undefined ? [] : [{ key, former, ...covered, form: nearForm(covered.reference) }];
    });
    if (!isLook) for (const each of changed) this.#database.run(changeSeen, each);
    return changed.length;
  }

  /** Has redacted orders that were placed before then no longer found by orders like them. */
  forgetLikes(before: number): void {
    this.#database.run(forgetLikes, { before });
  }

  /** Everything kept about an order, for its redaction; undefined if the order is unknown. */
  stored(id: string): StoredOrder | undefined {
    const row = this.byId(id);
    if (row === undefined) return undefined;
    return { row, events: this.events(row.number), proofs: this.proofs(row.number) };
  }

  /** The rows of statements that prove an order. */
  proofs(movement: number): StatementProof[] {
    const proofs = this.#database.all("SELECT row_key, row FROM proofs WHERE movement = :movement", { movement });
    return proofs.map((proof) => ({ key: textColumn(proof, "row_key"), row: textColumn(proof, "row") }));
  }

  /** Keeps a name of an account, unless it is kept already. */
  addAccount(scope: string): void {
    this.#database.run("INSERT OR IGNORE INTO accounts (scope) VALUES (:scope)", { scope });
  }

  #names(scope: string): string {
    return JSON.stringify(this.lookups.namesOf(scope));
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
    if (last !== null && typeof last !== "number") throw new DamageError("its rows are not numbered");
    return last ?? 0;
  }
}

function rowOf(record: unknown): MovementRow | undefined {
  return record === undefined ? undefined : openRow(movementColumns, record);
}

function insertInto(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`;
}
