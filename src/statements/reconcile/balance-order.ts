import type { StatedAmount } from "./stated-amount.ts";

/** What a row changed, and the balance after it. */
interface Step {
  readonly change: StatedAmount;
  readonly balance: StatedAmount;
}

/**
 * Follows the balances of a statement in both directions. Spec is silent on the order of a statement's rows, so the one
 * in which each balance follows from the one before is believed.
 */
export class BalanceOrder {
  #followsOldestFirst = true;
  #followsNewestFirst = true;
  #last: Step | undefined;

  get followsOldestFirst(): boolean {
    return this.#followsOldestFirst;
  }

  get followsNewestFirst(): boolean {
    return this.#followsNewestFirst;
  }

  follow(step: Step): void {
    const last = this.#last;
    this.#last = step;
    if (last === undefined) return;
    if (this.#followsOldestFirst) this.#followsOldestFirst = step.balance.isSumOf(last.balance, step.change);
    if (this.#followsNewestFirst) this.#followsNewestFirst = last.balance.isSumOf(step.balance, last.change);
  }
}
