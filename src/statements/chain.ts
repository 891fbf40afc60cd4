import type { Decimal } from "../values/decimal.ts";

export interface ChainStep {
  /** Counted from 1. */
  readonly row: number;
  readonly reference: string;
  /** Credit less debit. */
  readonly change: Decimal;
  /** After the change. */
  readonly balance: Decimal;
}

/** A row whose balance is not what the rows before it say. */
export interface ChainBreak extends ChainStep {
  readonly expected: Decimal;
}

/**
 * Follows the balances of a statement in one direction. Spec is silent on the order of a statement's rows, so a check
 * follows two chains, oldest first and newest first, and believes the one that holds.
 */
export class BalanceChain {
  readonly #order: "oldest first" | "newest first";
  #last: ChainStep | undefined;
  #firstBreak: ChainBreak | undefined;

  constructor(order: "oldest first" | "newest first") {
    this.#order = order;
  }

  get firstBreak(): ChainBreak | undefined {
    return this.#firstBreak;
  }

  follow(step: ChainStep): void {
    if (this.#firstBreak !== undefined) return;
    const expected =
      this.#order === "oldest first"
        ? this.#last?.balance.add(step.change)
        : this.#last?.balance.subtract(this.#last.change);
    if (expected !== undefined && !expected.equals(step.balance)) this.#firstBreak = { ...step, expected };
    this.#last = step;
  }
}
