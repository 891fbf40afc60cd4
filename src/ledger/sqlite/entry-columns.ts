import type { SQLInputValue } from "node:sqlite";
import type { Database } from "../../storage/sqlite/database.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { RowFacts } from "../row-facts.ts";
import { digitsOf, factsOf, minorUnits } from "../row-facts.ts";
import { encodeRow } from "../stored-row.ts";
import { findableIn } from "../terms/row-terms.ts";
import { TermWriter } from "./terms/term-writer.ts";

/** Rows that one statement takes: fewer calls into SQLite cost half of the time. */
const togetherRows = 32;
const columnCount = 9;
const insertEntries = (rows: number) => `INSERT INTO entries
  (number, day, reference, side, change_minor, balance_minor, is_fee, seen_at, raw)
  VALUES ${Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ")}`;

const noteDay = `INSERT INTO day_ranges (account, day, first, last, rows) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (account, day) DO UPDATE
  SET first = min(first, excluded.first), last = max(last, excluded.last), rows = rows + excluded.rows`;

/** The numbers between which the rows of a day were put. */
interface DayRange {
  first: number;
  last: number;
  rows: number;
}

/** Puts rows into the ledger, with what stands beside them. */
export class EntryInserter {
  readonly #database: Database;
  readonly #account: LedgerAccount;
  readonly #digits: number;
  readonly #seenAt: number;
  readonly #insert: (values: readonly SQLInputValue[]) => void;
  /** Values of rows that are put in together, one row after the other. */
  #waiting: SQLInputValue[] = [];
  readonly #terms: TermWriter;
  readonly #days = new Map<string, DayRange>();

  constructor(database: Database, account: LedgerAccount, seenAt: number) {
    this.#database = database;
    this.#account = account;
    this.#digits = digitsOf(account.currency);
    this.#seenAt = seenAt;
    this.#insert = database.inserter(insertEntries(togetherRows));
    this.#terms = new TermWriter(database, account);
  }

  insert(row: JsonObject, place: number): void {
    const facts = factsOf(row, this.#account.kind);
    const { day, reference, change, balance, isFee } = facts;
    this.#waiting.push(
      place,
      day,
      reference,
      sideOf(facts),
      minorUnits(change, this.#digits) ?? null,
      minorUnits(balance, this.#digits) ?? null,
      isFee ? 1 : 0,
      this.#seenAt,
      encodeRow(row),
    );
    if (this.#waiting.length === togetherRows * columnCount) {
      this.#insert(this.#waiting);
      this.#waiting = [];
    }
    this.#terms.add(place, findableIn(row, facts));
    const range = this.#days.get(day);
    if (range === undefined) this.#days.set(day, { first: place, last: place, rows: 1 });
    else {
      range.first = Math.min(range.first, place);
      range.last = Math.max(range.last, place);
      range.rows += 1;
    }
  }

  /** Notes where the rows of each day are, and what they can be found by, in the same transaction. */
  finish(): void {
    const insertOne = this.#database.inserter(insertEntries(1));
    for (let at = 0; at < this.#waiting.length; at += columnCount) insertOne(this.#waiting.slice(at, at + columnCount));
    this.#waiting = [];
    this.#terms.finish();
    const note = this.#database.inserter(noteDay);
    for (const [day, { first, last, rows }] of this.#days) note([this.#account.number, day, first, last, rows]);
    this.#days.clear();
  }
}

function sideOf({ side }: RowFacts): number {
  return side === "credit" ? 1 : side === "debit" ? -1 : 0;
}

/** A balance as a column. */
export function minorColumn(amount: Decimal | undefined, account: LedgerAccount): bigint | number | null {
  return minorUnits(amount, digitsOf(account.currency)) ?? null;
}
