import { indexedNumbers } from "../../ledger/sqlite/terms/term-reader.ts";
import { TermWriter } from "../../ledger/sqlite/terms/term-writer.ts";
import { rowTerms } from "../../ledger/terms/row-terms.ts";
import type { Sought, Term } from "../../ledger/terms/term.ts";
import { amountTerm, amountText, idTerm, termsEnd } from "../../ledger/terms/term.ts";
import type { Database } from "../../storage/sqlite/database.ts";
import type { DatabaseLayout } from "../../storage/sqlite/layout.ts";
import { idBeginning } from "../needle.ts";
import type { FindableTrace, NumbersIndex, Trail } from "./trail.ts";
import { trailNumbers } from "./trail.ts";

/** "ptnf". */
const applicationId = 0x70746e66;

/**
 * The index has pieces like a ledger's, with a source instead of an account. `indexed` says up to which line a source
 * is indexed; a wrong index is rebuilt.
 */
export const findIndexLayout: DatabaseLayout = {
  noun: "index",
  applicationId,
  migrations: [
    `CREATE TABLE indexed (
      source INTEGER PRIMARY KEY,
      origin TEXT NOT NULL,
      line INTEGER NOT NULL,
      mark TEXT NOT NULL
    ) STRICT;
    CREATE TABLE term_pieces (
      number INTEGER PRIMARY KEY,
      account INTEGER NOT NULL,
      rows INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      numbers BLOB NOT NULL
    ) STRICT;
    CREATE TABLE terms (number INTEGER PRIMARY KEY, postings BLOB NOT NULL) STRICT;`,
  ],
};

/** The search index of a machine's orders and webhooks. It is kept beside them, and rebuilt whenever in doubt. */
export class FindIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Indexes what has changed since the last time; at first, everything. */
  async update(trail: Trail): Promise<NumbersIndex> {
    while (await this.#database.commit(() => this.#take(trail)));
    const source = { number: trailNumbers[trail.kind] };
    return {
      numbersWith: (sought: Sought) => {
        try {
          return indexedNumbers(this.#database, source, sought);
        } catch {
          // It is damaged.
          return undefined;
        }
      },
    };
  }

  /**
   * Indexes one stretch. Another process may have indexed the same one meanwhile, so the start is read within the
   * transaction.
   * @returns false where nothing was left
   */
  #take(trail: Trail): boolean {
    const source = trailNumbers[trail.kind];
    const from = this.#reached(trail);
    const last = trail.stretchAfter(from);
    const mark = last === undefined ? undefined : trail.markOf(last);
    if (last === undefined || mark === undefined) return false;
    const terms = new TermWriter(this.#database, source);
    for (const { number, findable } of trail.changed(from, last)) terms.addTerms(number, termsOf(findable));
    terms.finish();
    const { origin } = trail;
    const values = { source, origin, line: last, mark };
    this.#database.run("INSERT OR REPLACE INTO indexed VALUES (:source, :origin, :line, :mark)", values);
    return true;
  }

  /**
   * Up to which line the source is indexed. The index of another source, or of a source with another past, is emptied.
   */
  #reached(trail: Trail): number {
    const { origin } = trail;
    const source = trailNumbers[trail.kind];
    const sql = "SELECT line, mark FROM indexed WHERE source = :source AND origin = :origin";
    const record = this.#database.get(sql, { source, origin });
    const [line, mark] = [Reflect.get(Object(record), "line"), Reflect.get(Object(record), "mark")];
    if (typeof line === "number" && trail.markOf(line) === mark) return line;
    const pieces = "SELECT number FROM term_pieces WHERE account = :source";
    for (const piece of this.#database.all(pieces, { source }))
      this.#forget(Number(Reflect.get(Object(piece), "number")));
    return 0;
  }

  #forget(piece: number): void {
    const start = piece * termsEnd;
    this.#database.run("DELETE FROM terms WHERE number >= :start AND number < :end", { start, end: start + termsEnd });
    this.#database.run("DELETE FROM term_pieces WHERE number = :piece", { piece });
  }
}

function termsOf({ ids, aliases, shortens, words, parties, amounts }: FindableTrace): Set<Term> {
  const terms = new Set<Term>();
  const [amount, ...others] = amounts;
  const said = amount === undefined || amount.isZero ? "" : amountText(amount);
  rowTerms({ ids, aliases, words: [words], parties, amount: said }, (term) => terms.add(term));
  for (const other of others) terms.add(amountTerm(other));
  if (shortens !== undefined) terms.add(idTerm(idBeginning(shortens)));
  return terms;
}
