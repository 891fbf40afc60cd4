import type { Decimal } from "../values/money/decimal.ts";
import type { Flaw } from "./discrepancy.ts";
import { wrongBalance } from "./discrepancy.ts";

/** What a row changed, and the balance after it. */
export interface Step {
  /** Counted from 1. */
  readonly row: number;
  readonly reference: string;
  /** Credit less debit. */
  readonly change: Decimal;
  readonly balance: Decimal;
}

/**
 * Follows the balances of a statement in both directions. Spec is silent on the order of a statement's rows, so the one
 * in which each balance follows from the one before is believed.
 */
export class BalanceOrder {
  #oldestFirst: Flaw | undefined;
  #newestFirst: Flaw | undefined;
  #last: Step | undefined;

  follow(step: Step): void {
    const last = this.#last;
    this.#last = step;
    if (last === undefined) return;
    if (this.#oldestFirst === undefined) this.#oldestFirst = flawOf(step, last.balance.add(step.change));
    if (this.#newestFirst === undefined) this.#newestFirst = flawOf(step, last.balance.subtract(last.change));
  }

  /**
   * Where balances hold both ways, or neither, the dates decide.
   * @param first the value date of the first row
   * @param last that of the last one
   */
  isNewestFirst(first: string, last: string): boolean {
    const [oldest, newest] = [this.#oldestFirst, this.#newestFirst].map((flaw) => flaw === undefined);
    return oldest === newest ? first > last : newest === true;
  }

  /** The first row whose balance does not follow in that order; undefined where all do. */
  flaw(isNewestFirst: boolean): Flaw | undefined {
    return isNewestFirst ? this.#newestFirst : this.#oldestFirst;
  }
}

function flawOf({ row, reference, balance }: Step, expected: Decimal): Flaw | undefined {
  return balance.equals(expected) ? undefined : { row, reference, what: wrongBalance(balance, expected) };
}
