import type { Database } from "../../storage/sqlite/database.ts";
import type { EventTrail, Kept } from "./inbox.ts";
import { eventColumns, idIn, keptOf, numberIn, eventPage } from "./inbox-row.ts";

/** Few enough for the memory, even if each is as large as a body may be. */
const pageMaxRows = 50;

/** The events of an inbox by their numbers. */
export class SqliteEventTrail implements EventTrail {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  hasMoreThan(count: number): boolean {
    return (
      this.#database.get("SELECT number FROM events ORDER BY number LIMIT 1 OFFSET :count", { count }) !== undefined
    );
  }

  lastOf(after: number, count: number): number | undefined {
    const sql =
      "SELECT max(number) FROM (SELECT number FROM events WHERE number > :after ORDER BY number LIMIT :count)";
    return numberIn(this.#database.get(sql, { after, count }));
  }

  idOf(number: number): string | undefined {
    const record = this.#database.get("SELECT id FROM events WHERE number = :number", { number });
    return record === undefined ? undefined : idIn(record);
  }

  *between(after: number, last: number): Generator<Kept> {
    const sql = `SELECT ${eventColumns} FROM events WHERE number > :after AND number <= :last ORDER BY number LIMIT ${pageMaxRows}`;
    for (let from = after; from < last;) {
      const records = this.#database.all(sql, { after: from, last });
      const page = this.#database.attempt(() => eventPage(records, from));
      yield* page;
      from = page.length < pageMaxRows ? last : (page.at(-1)?.number ?? last);
    }
  }

  *numbered(numbers: readonly number[]): Generator<Kept> {
    const sql = `SELECT ${eventColumns} FROM events WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number`;
    for (let at = 0; at < numbers.length; at += pageMaxRows) {
      const page = JSON.stringify(numbers.slice(at, at + pageMaxRows));
      yield* this.#kept(this.#database.all(sql, { numbers: page }));
    }
  }

  #kept(records: readonly unknown[]): readonly Kept[] {
    return this.#database.attempt(() => records.map((record) => keptOf(record)));
  }
}
