import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { feeParent } from "../../contract/fee-row.ts";
import type { Host } from "../../host/host.ts";
import { textIn } from "../../statements/entry.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { openLedgerDatabase } from "../sqlite/open.ts";
import { factsOf } from "../row-facts.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";
import { guard } from "./guard.ts";
import type { FilledView, QueryScope } from "./views.ts";
import { filledViews, viewsOf } from "./views.ts";

/** Allowed text after a statement: spaces, semicolons and comments. */
const nothingMore = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/;

/** The result of a statement: column names, and rows with a value for each. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly SQLOutputValue[]>;
}

/** The ledger as people's own statements see it: documented, read-only views. */
export class LedgerQuery {
  readonly #database: DatabaseSync;
  readonly #close: () => void;

  /** @throws {Failure} setup where the ledger is damaged, newer, or must not be used | unavailable (busy) */
  static async open(host: Host, stateFolder: string, scope: QueryScope): Promise<LedgerQuery> {
    const { database, raw } = await openLedgerDatabase(host, stateFolder, "read");
    raw.function("fee_parent", { deterministic: true }, (reference, narration) =>
      feeParent({ reference: String(reference), narration: String(narration ?? "") }),
    );
    raw.function("row_with", { deterministic: true }, (row, balances) =>
      balances === null ? row : encodeRow({ ...decodeRow(String(row)), ...decodeRow(String(balances)) }),
    );
    raw.function(
      "row_amount",
      { deterministic: true },
      (kind, row) => factsIn(kind, row).change?.abs().toString() ?? null,
    );
    raw.function("row_text", { deterministic: true }, (row, name) => textIn(decodeRow(String(row)), String(name)));
    raw.function("row_balance", { deterministic: true }, (kind, row) => factsIn(kind, row).balance?.toString() ?? null);
    // Temporary tables and sorts can be large; setting this later would drop the views.
    raw.exec(`PRAGMA temp_store = FILE; ${viewsOf(scope)}`);
    return new LedgerQuery(raw, () => database.close());
  }

  private constructor(database: DatabaseSync, close: () => void) {
    this.#database = database;
    this.#close = close;
  }

  /** Fills one of the views whose rows come from elsewhere; values are in the order of its columns. */
  async fill(view: FilledView, rows: AsyncIterable<readonly (string | number | null)[]>): Promise<void> {
    const marks = filledViews[view].map(() => "?").join(", ");
    const insert = this.#database.prepare(`INSERT INTO temp.${view} VALUES (${marks})`);
    for await (const row of rows) insert.run(...row);
  }

  /**
   * Runs one statement that reads.
   * @throws {Failure} usage for any other statement; iterating the rows can throw it, too
   */
  answer(sql: string): QueryResult {
    guard(this.#database);
    return explained(() => {
      const statement = this.#database.prepare(sql);
      if (!nothingMore.test(sql.slice(statement.sourceSQL.length))) throw severalStatements();
      // The expanded text differs only at parameters, which become NULL without a value.
      if (statement.expandedSQL !== statement.sourceSQL) throw hasParameters();
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return { columns: statement.columns().map(({ name }) => name), rows: explainedRows(statement.iterate()) };
    });
  }

  close(): void {
    this.#close();
  }
}

function factsIn(kind: unknown, row: unknown) {
  return factsOf(decodeRow(String(row)), kind === "merchant" ? "merchant" : "wallet");
}

function* explainedRows(rows: Iterator<unknown>): Generator<readonly SQLOutputValue[]> {
  for (;;) {
    const { done, value } = explained(() => rows.next());
    if (done === true) return;
    if (Array.isArray(value)) yield value;
  }
}

function explained<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    throw new Failure("usage", `The query cannot be run: ${visible(error.message)}.`, {
      hint: "A query reads the views accounts, rows, days, changes, acceptances, orders and events: partner help ledger sql",
      cause: error,
    });
  }
}

function severalStatements(): Failure {
  return new Failure("usage", "More than one query is given.", { hint: "Give one SELECT at a time." });
}

function hasParameters(): Failure {
  return new Failure("usage", "The query has a parameter, and nothing gives it a value.", {
    hint: "Write the value instead of ?, :name, @name or $name: WHERE reference = 'INV-1'",
  });
}
