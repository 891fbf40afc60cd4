import type { Database } from "../../storage/sqlite/database.ts";
import type { MovementWriter } from "../movement-writer.ts";
import { movementColumns, openRow } from "../history/row.ts";
import type { NumberedOrder, OrderTrail } from "../history/trail.ts";
import type { SqliteRows } from "./rows.ts";

const changedSql = `SELECT * FROM movements WHERE number IN (
  SELECT movement FROM events WHERE number > :after AND number <= :upTo) ORDER BY number`;
const namedSql = "SELECT * FROM movements WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number";

/** The history of a journal in SQLite, for an index of its orders. */
export class SqliteOrderTrail implements OrderTrail {
  readonly #database: Database;
  readonly #rows: SqliteRows;
  readonly #writer: MovementWriter;

  constructor(database: Database, rows: SqliteRows, writer: MovementWriter) {
    this.#database = database;
    this.#rows = rows;
    this.#writer = writer;
  }

  lines(): number {
    return Number(this.#database.value("SELECT coalesce(max(number), 0) FROM events"));
  }

  markOf(line: number): string | undefined {
    const record = this.#database.get("SELECT seal FROM events WHERE number = :line", { line });
    return record === undefined ? undefined : String(Reflect.get(Object(record), "seal"));
  }

  changed(after: number, upTo: number): readonly NumberedOrder[] {
    return this.#read(changedSql, { after, upTo });
  }

  orders(scope: string, numbers: readonly number[]) {
    const names = this.#rows.lookups.namesOf(scope);
    const found = this.#read(namedSql, { numbers: JSON.stringify(numbers) });
    return found.map(({ movement }) => movement).filter((movement) => names.includes(movement.scope));
  }

  #read(sql: string, given: Readonly<Record<string, string | number>>): readonly NumberedOrder[] {
    const records = this.#database.all(sql, given);
    return this.#database.attempt(() =>
      records.map((record) => {
        const row = openRow(movementColumns, record);
        return { number: row.number, movement: this.#writer.show(row) };
      }),
    );
  }
}
