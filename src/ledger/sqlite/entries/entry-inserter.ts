import type { SQLInputValue } from "node:sqlite";
import type { Database } from "../../../storage/sqlite/database.ts";
import { findableBy } from "../../terms/row-terms.ts";
import type { StoredEntry } from "./entry.ts";
import { TermWriter } from "../terms/term-writer.ts";

/** Rows that one statement inserts: fewer calls into SQLite halve the time. */
const togetherRows = 32;
const columnCount = 9;
const insertEntries = (rows: number) => `INSERT INTO entries
  (number, day, reference, side, change_minor, balance_minor, is_fee, seen_at, raw)
  VALUES ${Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))").join(", ")}`;

const noteDay = `INSERT INTO day_ranges (account, day, first, last, rows) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (account, day) DO UPDATE
  SET first = min(first, excluded.first), last = max(last, excluded.last), rows = rows + excluded.rows`;

/** The first and last number of a day's inserted rows. */
interface DayRange {
  first: number;
  last: number;
  rows: number;
}

/** An entry whose JSON is a string, or UTF-8. */
export type InsertedEntry = Omit<StoredEntry, "raw"> & { readonly raw: string | Uint8Array };

/** Inserts rows into the ledger, with their indexed values. */
export class EntryInserter {
  readonly #database: Database;
  readonly #account: number;
  readonly #seenAt: number;
  readonly #insert: (values: readonly SQLInputValue[]) => void;
  /** Values of rows that are inserted together, one row after the other. */
  #waiting: SQLInputValue[] = [];
  readonly #terms: TermWriter;
  readonly #days = new Map<string, DayRange>();

  constructor(database: Database, of: { readonly account: number; readonly seenAt: number }) {
    this.#database = database;
    this.#account = of.account;
    this.#seenAt = of.seenAt;
    this.#insert = database.inserter(insertEntries(togetherRows));
    this.#terms = new TermWriter(database, of.account);
  }

  insert(entry: InsertedEntry, place: number): void {
    const { day, texts, side, change, balance, isFee, raw } = entry;
    this.#waiting.push(place, day, texts.reference, side, change, balance, isFee ? 1 : 0, this.#seenAt, raw);
    if (this.#waiting.length === togetherRows * columnCount) {
      this.#insert(this.#waiting);
      this.#waiting = [];
    }
    this.#terms.add(place, findableBy(texts));
    const range = this.#days.get(day);
    if (range === undefined) this.#days.set(day, { first: place, last: place, rows: 1 });
    else {
      range.first = Math.min(range.first, place);
      range.last = Math.max(range.last, place);
      range.rows += 1;
    }
  }

  /** Inserts the waiting rows; buffers of the caller are no longer needed afterwards. */
  flush(): void {
    const insertOne = this.#database.inserter(insertEntries(1));
    for (let at = 0; at < this.#waiting.length; at += columnCount) insertOne(this.#waiting.slice(at, at + columnCount));
    this.#waiting = [];
  }

  /** Updates `day_ranges` and the index of `find`, in the same transaction. */
  finish(): void {
    this.flush();
    this.#terms.finish();
    const note = this.#database.inserter(noteDay);
    for (const [day, { first, last, rows }] of this.#days) note([this.#account, day, first, last, rows]);
    this.#days.clear();
  }
}
