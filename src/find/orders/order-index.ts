import type { OrderTrail } from "../../journal/history/trail.ts";
import { indexedNumbers } from "../../ledger/sqlite/terms/term-reader.ts";
import { TermWriter } from "../../ledger/sqlite/terms/term-writer.ts";
import { rowTerms } from "../../ledger/terms/row-terms.ts";
import type { Sought, Term } from "../../ledger/terms/term.ts";
import { amountTerm, amountText, idTerm } from "../../ledger/terms/term.ts";
import type { Database } from "../../storage/sqlite/database.ts";
import type { Layout } from "../../storage/sqlite/layout.ts";
import { findableOrder } from "../journal-traces.ts";
import { idBeginning } from "../needle.ts";

/** "ptnf". */
const applicationId = 0x70746e66;
/** The pieces of the index are those of a ledger's; all of them are of one account. */
const orders = { number: 1 };
/** Lines of history that are read in one go. */
const pageLines = 50_000;

/** `indexed` says up to which line of which journal the index goes; a wrong index is made anew. */
export const orderIndexLayout: Layout = {
  noun: "index",
  applicationId,
  migrations: [
    `CREATE TABLE indexed (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      journal TEXT NOT NULL,
      line INTEGER NOT NULL,
      mark TEXT
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

/** By what the orders of a large journal can be found: kept beside it, and made anew whenever it is in doubt. */
export class OrderIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes in what has changed since: the first time that is the whole journal. */
  async update(journal: string, trail: OrderTrail): Promise<void> {
    for (const last = trail.lines(); ;) {
      const line = await this.#database.commit(() => this.#take({ journal, trail, last }));
      if (line >= last) return;
    }
  }

  /** The numbers of orders that can be meant; undefined where the index is damaged. */
  numbersWith(sought: Sought): readonly number[] | undefined {
    try {
      return indexedNumbers(this.#database, orders, sought);
    } catch {
      return undefined;
    }
  }

  /** Another process may have taken in the same page meanwhile: where to go on is read within the transaction. */
  #take({ journal, trail, last }: { journal: string; trail: OrderTrail; last: number }): number {
    const from = this.#reached(journal, trail);
    if (from >= last) return from;
    const upTo = Math.min(last, from + pageLines);
    const terms = new TermWriter(this.#database, orders.number);
    for (const { number, movement } of trail.changed(from, upTo))
      terms.addTerms(number, termsOf(findableOrder(movement)));
    terms.finish();
    this.#database.run("INSERT OR REPLACE INTO indexed VALUES (1, :journal, :upTo, :mark)", {
      journal,
      upTo,
      mark: trail.markOf(upTo) ?? null,
    });
    return upTo;
  }

  /** Up to which line the index goes; an index of another journal, or of another past of this one, is emptied. */
  #reached(journal: string, trail: OrderTrail): number {
    const record = this.#database.get("SELECT line, mark FROM indexed WHERE journal = :journal", { journal });
    const [line, mark] = [Reflect.get(Object(record), "line"), Reflect.get(Object(record), "mark")];
    if (typeof line === "number" && trail.markOf(line) === mark) return line;
    this.#database.run("DELETE FROM terms");
    this.#database.run("DELETE FROM term_pieces");
    return 0;
  }
}

function termsOf({ ids, aliases, shortens, words, parties, amounts }: ReturnType<typeof findableOrder>): Set<Term> {
  const terms = new Set<Term>();
  const [amount, ...others] = amounts;
  const said = amount === undefined || amount.isZero ? "" : amountText(amount);
  rowTerms({ ids, aliases, words: [words], parties, amount: said }, (term) => terms.add(term));
  for (const other of others) terms.add(amountTerm(other));
  terms.add(idTerm(idBeginning(shortens)));
  return terms;
}
