import { Tally } from "../batch/order-amount.ts";
import type { DecodedRow } from "./decoded-row.ts";

const largestCount = 10;

/** A receiver of money in a batch, with the first row that names it and the total of all rows that do. */
export interface Payee {
  readonly row: DecodedRow;
  readonly key: string;
  readonly tally: Tally;
}

/** Totals of a batch, gathered row by row. */
export class BatchLook {
  readonly tally = new Tally();
  readonly #payees = new Map<string, Payee>();
  readonly #payers = new Set<string>();
  #largest: DecodedRow[] = [];

  add(row: DecodedRow): void {
    this.tally.add(row);
    this.#payers.add(row.from);
    if (row.receiver !== undefined) this.#addPayee(row, row.receiver);
    const last = this.#largest.at(-1);
    if (this.#largest.length === largestCount && last !== undefined && row.amount.compare(last.amount) <= 0) return;
    const sorted = [...this.#largest, row].toSorted((one, other) => other.amount.compare(one.amount));
    this.#largest = sorted.slice(0, largestCount);
  }

  /** The rows with the largest amounts, the largest first. */
  get largest(): readonly DecodedRow[] {
    return this.#largest;
  }

  /** All receivers of money, in the order of the rows. */
  get payees(): readonly Payee[] {
    return [...this.#payees.values()];
  }

  /** What the receiver of a row gets in all. */
  totalOf({ receiver = "" }: DecodedRow): Tally | undefined {
    return this.#payees.get(receiver)?.tally;
  }

  /** The paying accounts. */
  get payers(): ReadonlySet<string> {
    return this.#payers;
  }

  #addPayee(row: DecodedRow, key: string): void {
    const payee = this.#payees.get(key) ?? { row, key, tally: new Tally() };
    payee.tally.add(row);
    this.#payees.set(key, payee);
  }
}
