import type { Reader } from "../client/reader.ts";
import type { Days } from "../values/time/service-clock.ts";
import { Failure } from "../values/failure.ts";
import { Interest, keysFor, ownKeysFor } from "./interest.ts";
import { FeeTies } from "./rows/payout-fees.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { readRow } from "./rows/statement-row.ts";
import type { ExpectedRow } from "./expected-row.ts";
import { readWalletRows } from "./rows/wallet-rows.ts";

/** The rows of a wallet that matter, by lookup key, in the order of its statement. */
type RowIndex = ReadonlyMap<string, readonly StatementRow[]>;

/**
 * The statements that can show some orders. Each wallet's is read once, from the first day that matters to the last one
 * that a row of these orders can have, and up to today, as payments may be reversed late. Only rows are kept that
 * have the amount of one of the orders or name one of them.
 */
export class Statements {
  readonly #service: Pick<Reader, "stream">;
  readonly #days: Days;
  readonly #interests = new Map<string, Interest>();
  /** What the fees of payouts say, where there are payouts to ask about. */
  readonly fees = new FeeTies();
  #wantsFees = false;
  readonly #read = new Map<string, RowIndex | Failure>();

  constructor(service: Pick<Reader, "stream">, days: Days) {
    this.#service = service;
    this.#days = days;
  }

  /** Registers an order whose rows will be asked for. Call it before the first `read`. */
  add(expected: ExpectedRow): void {
    if (expected.order.kind === "payout") this.#wantsFees = true;
    for (const { accountNo } of expected.booked) {
      const interest = this.#interests.get(accountNo) ?? new Interest(expected);
      interest.add(expected, accountNo);
      this.#interests.set(accountNo, interest);
    }
  }

  /**
   * Reads the statements that were not read yet, and remembers why one can't be read.
   * @throws {Failure} interrupted
   */
  async read(): Promise<void> {
    for (const [accountNo, interest] of this.#interests)
      if (!this.#read.has(accountNo)) this.#read.set(accountNo, await this.#readOne(accountNo, interest));
  }

  /** The rows that could matter to an order, or why there are none. */
  rowsOf(expected: ExpectedRow): readonly StatementRow[] | Failure {
    const rows = new Set<StatementRow>();
    for (const { accountNo } of expected.booked) {
      const index = this.#read.get(accountNo);
      if (index === undefined || index instanceof Failure) return index ?? notRequested(accountNo);
      for (const key of keysFor(expected, accountNo)) for (const row of index.get(key) ?? []) rows.add(row);
    }
    return [...rows];
  }

  /**
   * The rows that carry or name one of its ids, and those of its amount on the other side: enough to prove it by an id.
   * All other rows are shared by orders of the same amount, which can be many.
   */
  ownRowsOf(expected: ExpectedRow): readonly StatementRow[] {
    const rows = new Set<StatementRow>();
    for (const { accountNo } of expected.booked) {
      const index = this.#read.get(accountNo);
      if (index === undefined || index instanceof Failure) return [];
      for (const key of ownKeysFor(expected, accountNo)) for (const row of index.get(key) ?? []) rows.add(row);
    }
    return [...rows];
  }

  async #readOne(accountNo: string, interest: Interest): Promise<RowIndex | Failure> {
    const { first, last } = interest;
    try {
      return await readWalletRows(this.#service, { accountNo, first, last, days: this.#days }, async (batches) => {
        const index = new Map<string, StatementRow[]>();
        for await (const sources of batches)
          for (const source of sources) {
            const row = readRow(accountNo, source);
            if (this.#wantsFees) this.fees.add(row);
            enter(index, interest, row);
          }
        return index;
      });
    } catch (error) {
      if (error instanceof Failure && error.ending !== "interrupted") return error;
      throw error;
    }
  }
}

function enter(index: Map<string, StatementRow[]>, interest: Interest, row: StatementRow): void {
  for (const key of interest.keysOf(row)) {
    const rows = index.get(key);
    if (rows === undefined) index.set(key, [row]);
    else rows.push(row);
  }
}

function notRequested(accountNo: string): Failure {
  return new Failure("bug", `The statement of ${accountNo} was not asked for.`);
}
