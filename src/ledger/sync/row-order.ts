import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { BalanceOrder } from "../../statements/balance-order.ts";
import type { AccountKind } from "../ledger.ts";
import type { RowFacts } from "../row-facts.ts";
import { factsOf } from "../row-facts.ts";

/** Finds out in which order the service gives rows: the one in which balances follow from each other, or the dates. */
export class RowOrder {
  readonly #kind: AccountKind;
  readonly #balances = new BalanceOrder();
  #first: string | undefined;
  #last = "";
  #rows = 0;

  constructor(kind: AccountKind) {
    this.#kind = kind;
  }

  look(row: JsonObject): RowFacts {
    const facts = factsOf(row, this.#kind);
    const { reference, time, change, balance } = facts;
    this.#rows += 1;
    this.#first ??= time;
    this.#last = time;
    if (balance !== undefined)
      this.#balances.follow({ row: this.#rows, reference, change: change ?? Decimal.zero, balance });
    return facts;
  }

  /** One row has no order. */
  get isNewestFirst(): boolean | undefined {
    return this.#rows < 2 ? undefined : this.#balances.isNewestFirst(this.#first ?? "", this.#last);
  }
}
