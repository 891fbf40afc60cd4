import type { Decimal } from "../../values/decimal.ts";
import type { Flaw } from "../flaw.ts";
import { wrongBalance } from "../flaw.ts";
import type { StatedAmount } from "./stated-amount.ts";

/** What a row changed, and the balance after it. */
export interface Step {
  /** Counted from 1. */
  readonly row: number;
  readonly reference: string;
  readonly change: StatedAmount;
  readonly balance: StatedAmount;
}

/**
 * Follows the balances of a statement in both directions. Spec is silent on the order of a statement's rows, so the one
 * in which each balance follows from the one before is believed.
 */
export class BalanceOrder {
  #oldestFirst: Flaw | undefined;
  #newestFirst: Flaw | undefined;
  #last: Step | undefined;

  /** The first row that breaks that order; undefined where none does. */
  get oldestFirst(): Flaw | undefined {
    return this.#oldestFirst;
  }

  get newestFirst(): Flaw | undefined {
    return this.#newestFirst;
  }

  follow(step: Step): void {
    const last = this.#last;
    this.#last = step;
    if (last === undefined) return;
    if (this.#oldestFirst === undefined && !step.balance.isSumOf(last.balance, step.change))
      this.#oldestFirst = flawOf(step, last.balance.exact.add(step.change.exact));
    if (this.#newestFirst === undefined && !last.balance.isSumOf(step.balance, last.change))
      this.#newestFirst = flawOf(step, last.balance.exact.subtract(last.change.exact));
  }
}

function flawOf({ row, reference, balance }: Step, expected: Decimal): Flaw {
  return { row, reference, what: wrongBalance(balance.exact, expected) };
}
