import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { BalanceOrder } from "../../statements/balance-order.ts";
import type { AccountKind } from "../ledger.ts";
import type { RowFacts } from "../row-facts.ts";
import { factsOf } from "../row-facts.ts";

/** Detects in which order the service gives rows: by balances that follow from each other, or else by dates. */
export class RowOrder {
  readonly #kind: AccountKind;
  readonly #balances = new BalanceOrder();
  /** The value dates of the first and the last row that have one. */
  #first = "";
  #last = "";
  #rows = 0;

  constructor(kind: AccountKind) {
    this.#kind = kind;
  }

  look(row: JsonObject): RowFacts {
    const facts = factsOf(row, this.#kind);
    const { reference, time, change, balance } = facts;
    this.#rows += 1;
    this.#first ||= time;
    this.#last = time || this.#last;
    if (balance !== undefined)
      this.#balances.follow({ row: this.#rows, reference, change: change ?? Decimal.zero, balance });
    return facts;
  }

  /** Undefined where neither balances nor dates show it. */
  get isNewestFirst(): boolean | undefined {
    const { direction } = this.#balances;
    if (direction !== undefined) return direction === "newestFirst";
    return this.#first === this.#last ? undefined : this.#first > this.#last;
  }
}
