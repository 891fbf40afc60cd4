import type { Database, Parameters } from "../../storage/sqlite/database.ts";
import { DamageError } from "../../storage/failures.ts";
import { namesOfAccount } from "../account-name.ts";
import { endOfIds, foundMaxRows } from "../movement-row.ts";
import type { AroundRows, AskedKeys } from "../lookups/around.ts";
import { aroundMaxRows, seenOf } from "../lookups/around.ts";
import type { StatementProof } from "../movement.ts";
import type { OrderStanding } from "../lookups/order-keys.ts";
import type { SeenRow } from "../journal.ts";
import type { MovementRow } from "../history/row.ts";
import { movementColumns, openRow, textColumn } from "../history/row.ts";

const namesSql = "SELECT value FROM json_each(:names)";
const withKeys = "SELECT m.* FROM order_keys k JOIN movements m ON m.number = k.movement";
const idsBetween = "SELECT * FROM movements WHERE id >= :start AND id < :end ORDER BY id LIMIT";
const isUsed = "k.standing IN ('done', 'open')";
const knownSql = (name: "near_key" | "like_key") => `SELECT value AS text FROM json_each(:texts)
  WHERE EXISTS (SELECT 1 FROM order_keys k WHERE k.${name} = value AND ${isUsed})`;
const formKnownSql = `SELECT value AS text FROM json_each(:texts)
  WHERE EXISTS (SELECT 1 FROM seen WHERE near_form = value)`;

/** Looks up orders in SQLite by what they have in common with others. */
export class SqliteLookups {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All names of an account that the journal knows, and this one. */
  namesOf(scope: string): readonly string[] {
    return namesOfAccount(scope, this.accounts());
  }

  accounts(): string[] {
    if (!this.#hasAccounts()) return this.#texts("SELECT DISTINCT scope AS text FROM movements");
    return this.#texts("SELECT scope AS text FROM accounts ORDER BY scope");
  }

  /** How many rows of statements there are: none is ever removed. */
  seenCount(): number {
    return this.#hasAccounts() ? Number(this.#database.value("SELECT coalesce(max(rowid), 0) FROM seen")) : 0;
  }

  /** Orders of the account whose reference, or id at the service, is one of these words. */
  knownAs(scope: string, words: readonly string[]): MovementRow[] {
    const sql = `SELECT * FROM movements WHERE scope IN (${namesSql}) AND number IN (
      SELECT number FROM movements WHERE reference IN (SELECT value FROM json_each(:words))
      UNION SELECT number FROM movements
        WHERE transaction_id IS NOT NULL AND transaction_id IN (SELECT value FROM json_each(:words)))`;
    return this.#rows(sql, { names: JSON.stringify(this.namesOf(scope)), words: JSON.stringify(words) });
  }

  /** Orders whose id begins like that. */
  beginningWith(start: string): MovementRow[] {
    const end = endOfIds(start);
    return end === undefined ? [] : this.#rows(`${idsBetween} ${foundMaxRows}`, { start, end });
  }

  /** Orders with the same kind, account, payer, receiver and amount, opened then or later. */
  likes(keys: readonly string[], since: number): MovementRow[] {
    if (!this.#hasAccounts()) return [];
    const isLike = "k.like_key IN (SELECT value FROM json_each(:keys))";
    return this.#rows(`${withKeys} WHERE ${isLike} AND m.opened_at >= :since ORDER BY m.number`, {
      keys: JSON.stringify(keys),
      since,
    });
  }

  /** Orders with these keys. A journal of version 1 that can only be read has none. */
  around(asked: readonly AskedKeys[], batch: string | undefined): AroundRows {
    const accounts = this.accounts();
    if (!this.#hasAccounts()) return { accounts, near: new Map(), like: new Map(), seen: new Map() };
    return {
      accounts,
      near: this.#known(
        knownSql("near_key"),
        asked.map(({ near }) => near),
        (key) => this.#near(key),
      ),
      like: this.#known(
        knownSql("like_key"),
        asked.flatMap(({ likes }) => likes),
        (key) => this.#like(key, batch),
      ),
      seen: this.#known(
        formKnownSql,
        asked.map(({ form }) => form),
        (form) => this.#seen(form),
      ),
    };
  }

  /** The ids of the orders that rows prove, by the row's key. */
  provedBy(keys: readonly string[]): Map<string, string> {
    if (!this.#hasAccounts()) return new Map();
    const sql = `SELECT p.row_key, m.id FROM proofs p JOIN movements m ON m.number = p.movement
      WHERE p.row_key IN (SELECT value FROM json_each(:keys))`;
    const records = this.#database.all(sql, { keys: JSON.stringify(keys) });
    return new Map(records.map((record) => [textColumn(record, "row_key"), textColumn(record, "id")]));
  }

  /** The rows that prove an order. */
  proofsOf(id: string): string[] {
    if (!this.#hasAccounts()) return [];
    const sql =
      "SELECT p.row FROM proofs p JOIN movements m ON m.number = p.movement WHERE m.id = :id ORDER BY p.row_key";
    return this.#database.all(sql, { id }).map((record) => textColumn(record, "row"));
  }

  /** The numbers of the movements that these rows prove. */
  proving(proofs: readonly StatementProof[] = []): number[] {
    if (proofs.length === 0) return [];
    const sql = "SELECT movement FROM proofs WHERE row_key IN (SELECT value FROM json_each(:keys))";
    const keys = JSON.stringify(proofs.map(({ key }) => key));
    return this.#database.all(sql, { keys }).map((record) => numberIn(record, "movement"));
  }

  /** Asks which of these texts are known, at once, and then looks up those few. */
  #known<T>(sql: string, texts: readonly string[], find: (text: string) => T): ReadonlyMap<string, T> {
    return new Map(this.#texts(sql, [...new Set(texts)]).map((text) => [text, find(text)]));
  }

  #near(near: string): MovementRow[] {
    return this.#rows(
      `${withKeys} WHERE k.near_key = :near AND ${isUsed} ORDER BY k.movement DESC LIMIT ${aroundMaxRows}`,
      { near },
    );
  }

  /** Batch by batch: the rows of one never hide those of another. */
  #like(like: string, own: string | undefined): MovementRow[] {
    const next = `SELECT min(batch) AS text FROM order_keys
      WHERE like_key = :like AND standing = :standing AND batch > :batch`;
    const rows = `${withKeys} WHERE k.like_key = :like AND k.standing = :standing AND k.batch = :batch
      ORDER BY k.movement DESC LIMIT ${aroundMaxRows}`;
    const found: MovementRow[] = [];
    for (const standing of ["open", "done"] satisfies OrderStanding[]) {
      let batch: string | undefined = "";
      while (batch !== undefined) {
        if (batch !== own) found.push(...this.#rows(rows, { like, standing, batch }));
        batch = this.#texts(next, undefined, { like, standing, batch })[0];
      }
    }
    return found;
  }

  #seen(form: string): SeenRow[] {
    return this.#database.all("SELECT * FROM seen WHERE near_form = :form", { form }).map(seenOf);
  }

  /** False in a journal of version 1 that can only be read. */
  #hasAccounts(): boolean {
    return this.#database.get("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'") !== undefined;
  }

  #rows(sql: string, parameters: Parameters): MovementRow[] {
    return this.#database.all(sql, parameters).map((row) => openRow(movementColumns, row));
  }

  #texts(sql: string, texts?: readonly string[], parameters: Parameters = {}): string[] {
    const given = texts === undefined ? parameters : { ...parameters, texts: JSON.stringify(texts) };
    return this.#database.all(sql, given).flatMap((record) => (isNothing(record) ? [] : [textColumn(record, "text")]));
  }
}

/** True for the minimum of no rows. */
function isNothing(record: unknown): boolean {
  return typeof record === "object" && record !== null && Reflect.get(record, "text") === null;
}

function numberIn(record: unknown, name: string): number {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value !== "number") throw new DamageError("its rows are not numbered");
  return value;
}
