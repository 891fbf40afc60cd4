import type { Database } from "../../../storage/sqlite/database.ts";
import type { FindableRow } from "../../terms/row-terms.ts";
import { rowTerms } from "../../terms/row-terms.ts";
import type { Term } from "../../terms/term.ts";
import { termsEnd } from "../../terms/term.ts";
import { Columns } from "../../records.ts";
import { BucketReader, decodeNumbers, encodeNumbers, PieceBuilder, pieceMaxRows } from "./piece.ts";

/**
 * A piece is merged with the one before it, unless that is more than this many times longer: there are few pieces, and
 * few are rewritten.
 */
const lengthRatio = 4;

/** Indexes rows of an account, in the transaction that stores them. */
export class TermWriter {
  readonly #database: Database;
  readonly #account: number;
  #piece = new PieceBuilder();

  constructor(database: Database, account: number) {
    this.#database = database;
    this.#account = account;
  }

  add(number: number, row: FindableRow): void {
    if (this.#piece.rowCount === pieceMaxRows) this.finish();
    this.#piece.begin(number);
    rowTerms(row, this.#piece.add);
  }

  /** Adds a row whose terms are already known. */
  addTerms(number: number, terms: Iterable<Term>): void {
    if (this.#piece.rowCount === pieceMaxRows) this.finish();
    this.#piece.begin(number);
    for (const term of terms) this.#piece.add(term);
  }

  /** Writes the added terms; they count when the transaction commits. */
  finish(): void {
    if (this.#piece.rowCount === 0) return;
    for (let last = this.#pieceToMerge(); last !== undefined; last = this.#pieceToMerge()) this.#merge(last);
    const { numbers } = this.#piece;
    this.#database.run(
      `INSERT INTO term_pieces (account, rows, first, last, numbers)
       VALUES (:account, :rows, :first, :last, :numbers)`,
      {
        account: this.#account,
        rows: numbers.length,
        first: numbers.reduce((least, number) => Math.min(least, number)),
        last: numbers.reduce((most, number) => Math.max(most, number)),
        numbers: encodeNumbers(numbers),
      },
    );
    const start = Number(this.#database.value("SELECT last_insert_rowid()")) * termsEnd;
    const insert = this.#database.inserter("INSERT INTO terms (number, postings) VALUES (?1, ?2)");
    for (const { first, bytes } of this.#piece.buckets()) insert([start + first, bytes]);
    this.#piece = new PieceBuilder();
  }

  /** The account's last piece, if it is to be merged into this one. */
  #pieceToMerge(): { readonly piece: number; readonly numbers: readonly number[] } | undefined {
    const { rowCount } = this.#piece;
    const record = this.#database.get(
      `SELECT * FROM (SELECT number, rows, numbers FROM term_pieces WHERE account = :account ORDER BY number DESC LIMIT 1)
       WHERE rows <= :most`,
      { account: this.#account, most: Math.min(lengthRatio * rowCount, pieceMaxRows - rowCount) },
    );
    if (record === undefined) return undefined;
    const columns = new Columns(record);
    return { piece: columns.number("number"), numbers: decodeNumbers(columns.bytes("numbers")) };
  }

  #merge({ piece, numbers }: { readonly piece: number; readonly numbers: readonly number[] }): void {
    const start = piece * termsEnd;
    const own = { start, end: start + termsEnd };
    const places = numbers.map((number) => this.#piece.begin(number));
    const records = this.#database.all(
      "SELECT number, postings FROM terms WHERE number >= :start AND number < :end",
      own,
    );
    for (const record of records) {
      const columns = new Columns(record);
      const reader = new BucketReader({ first: columns.number("number") - start, bytes: columns.bytes("postings") });
      do for (const row of reader.posting.rows()) this.#piece.put(reader.term, places[row] ?? 0);
      while (reader.next());
    }
    this.#database.run("DELETE FROM terms WHERE number >= :start AND number < :end", own);
    this.#database.run("DELETE FROM term_pieces WHERE number = :piece", { piece });
  }
}
