import type { Database } from "../../storage/sqlite/database.ts";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { PlaceRange } from "../places.ts";
import type { Appender } from "../writer.ts";
import { EntryInserter } from "./entry-columns.ts";

/** Rows that are committed in one go: a second of work that a kill loses. */
const groupRows = 200_000;

/** Rows that come one after the other, committed a group at a time. */
export class EntryAppender implements Appender {
  readonly #database: Database;
  readonly #entries: EntryInserter;
  readonly #step: number;
  #place: number;
  #rows = 0;
  #isOpen = false;

  constructor(
    database: Database,
    of: { readonly account: LedgerAccount; readonly place: PlaceRange; readonly seenAt: number },
  ) {
    this.#database = database;
    this.#place = of.place.after;
    this.#step = of.place.step;
    this.#entries = new EntryInserter(database, of.account, of.seenAt);
  }

  add(rows: readonly JsonObject[]): void {
    if (!this.#isOpen) this.#database.beginBulk();
    this.#isOpen = true;
    this.#database.attempt(() => {
      for (const row of rows) this.#entries.insert(row, (this.#place += this.#step));
    });
    this.#rows += rows.length;
    if (this.#rows >= groupRows) this.end();
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#database.attempt(() => this.#entries.finish());
    this.#database.endBulk();
    this.#isOpen = false;
    this.#rows = 0;
  }

  drop(): void {
    if (this.#isOpen) this.#database.dropBulk();
    this.#isOpen = false;
  }
}
