import type { Database } from "../../../storage/sqlite/database.ts";
import type { StoredEntry } from "./entry.ts";
import type { InsertedEntry } from "./entry-inserter.ts";
import { EntryInserter } from "./entry-inserter.ts";

/** Where consecutive rows are written. */
export interface EntryBulk {
  add(entry: StoredEntry, place: number): void;
  /** Resolves when there is room for more. */
  hasRoom(): Promise<void> | undefined;
  /** Commits the added rows. More may be added before it is done. */
  commit(): void | Promise<void>;
  /** Discards uncommitted rows; nothing may be added afterwards. */
  close(): void | Promise<void>;
}

/** Writes them to the ledger in this thread. */
export class LocalBulk implements EntryBulk {
  readonly #database: Database;
  readonly #inserter: EntryInserter;
  #isOpen = false;

  constructor(database: Database, of: { readonly account: number; readonly seenAt: number }) {
    this.#database = database;
    this.#inserter = new EntryInserter(database, of);
  }

  add(entry: InsertedEntry, place: number): void {
    if (!this.#isOpen) this.#database.beginBulk();
    this.#isOpen = true;
    this.#database.attempt(() => this.#inserter.insert(entry, place));
  }

  hasRoom(): undefined {
    return undefined;
  }

  /** Writes the added rows to the database, without committing them. */
  flush(): void {
    this.#database.attempt(() => this.#inserter.flush());
  }

  commit(): void {
    if (!this.#isOpen) return;
    this.#database.attempt(() => this.#inserter.finish());
    this.#database.endBulk();
    this.#isOpen = false;
  }

  close(): void {
    if (this.#isOpen) this.#database.dropBulk();
    this.#isOpen = false;
  }
}
