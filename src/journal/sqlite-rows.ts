import type { Database } from "../storage/database.ts";
import { Damage } from "../storage/trouble.ts";
import type { MovementKey } from "./movement.ts";
import type { EventRow, MovementRow } from "./row.ts";
import { eventColumns, identityColumns, movementColumns, openRow, sealRow } from "./row.ts";
import type { Sheet, Unnumbered } from "./sheet.ts";

const movementNames = Object.keys(movementColumns);
const insertMovement = insertInto("movements", [...movementNames, "seal"]);
const changing = [...movementNames.filter((name) => !identityColumns.has(name)), "seal"];
const updateMovement = `UPDATE movements SET ${changing.map((name) => `${name} = :${name}`).join(", ")}
  WHERE number = :number AND claim = :held`;
const insertEvent = insertInto("events", [...Object.keys(eventColumns), "seal"]);

/** The rows of movements and of their history in SQLite. Everything that writes is called inside of a transaction. */
export class SqliteRows implements Sheet {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  byId(id: string): MovementRow | undefined {
    return rowOf(this.#database.get("SELECT * FROM movements WHERE id = :id", { id }));
  }

  byKey({ scope, kind, reference }: MovementKey): MovementRow | undefined {
    const sql = "SELECT * FROM movements WHERE reference = :reference AND kind = :kind AND scope = :scope";
    return rowOf(this.#database.get(sql, { reference, kind, scope }));
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

  /** The number of the last step that anything took; 0 before the first. */
  lastEvent(): number {
    return this.#lastNumber("events");
  }

  /** Movements that took a step after that one. */
  changedSince(event: number): MovementRow[] {
    const sql = "SELECT * FROM movements WHERE number IN (SELECT movement FROM events WHERE number > :event)";
    return this.#database.all(sql, { event }).map((row) => openRow(movementColumns, row));
  }

  isFree(id: string): boolean {
    return this.#database.get("SELECT 1 FROM movements WHERE id = :id", { id }) === undefined;
  }

  addMovement(row: Unnumbered<MovementRow>): MovementRow {
    const sealed = sealRow(movementColumns, { ...row, number: this.#nextNumber("movements") });
    this.#database.run(insertMovement, sealed);
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

function rowOf(record: unknown): MovementRow | undefined {
  return record === undefined ? undefined : openRow(movementColumns, record);
}

function insertInto(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`;
}
