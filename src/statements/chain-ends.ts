import { Decimal } from "../values/money/decimal.ts";
import type { Measure } from "./check.ts";
import type { Entry } from "./entry.ts";

/**
 * The balance from which rows begin, in whatever order they come: more of them go on from it than lead to it. Only
 * balances are held between which something lacks so far, which are few where rows follow each other.
 */
export class ChainEnds implements Measure {
  readonly #excess = new Map<string, { readonly balance: Decimal; readonly count: number }>();
  #isWhole = true;

  look({ credit, debit, balance }: Entry): void {
    if (!balance) {
      this.#isWhole = false;
      return;
    }
    const change = (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero);
    this.#add(balance.subtract(change), 1);
    this.#add(balance, -1);
  }

  /** Undefined where several balances may be it, or none is: rows are missing, or lead back to where they began. */
  get opening(): Decimal | undefined {
    const [first, other] = [...this.#excess.values()].filter(({ count }) => count > 0);
    return this.#isWhole && other === undefined && first?.count === 1 ? first.balance : undefined;
  }

  #add(balance: Decimal, by: number): void {
    const key = balance.trimmed();
    const count = (this.#excess.get(key)?.count ?? 0) + by;
    if (count === 0) this.#excess.delete(key);
    else this.#excess.set(key, { balance, count });
  }
}
