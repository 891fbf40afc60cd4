import type { Decimal } from "../values/money/decimal.ts";
import type { OuterBalances } from "./booked-ends.ts";
import { BookedEnds } from "./booked-ends.ts";
import type { Discrepancy } from "./discrepancy.ts";
import { wrongBalance } from "./discrepancy.ts";
import { joinedMaxCount } from "./joined.ts";

/** What a row changed, and the balance after it. */
export interface BalanceStep {
  /** Counted from 1. */
  readonly row: number;
  readonly reference: string;
  /** Credit less debit. */
  readonly change: Decimal;
  readonly balance: Decimal;
}

/** The order in which rows can come. */
export type Direction = "oldestFirst" | "newestFirst";

/**
 * Follows the balances of a statement in both directions. Spec is silent on the order of a statement's rows, so the one
 * in which each balance follows from the one before is believed.
 */
export class BalanceOrder {
  #oldestFirst: Discrepancy | undefined;
  #newestFirst: Discrepancy | undefined;
  #first: BalanceStep | undefined;
  #last: BalanceStep | undefined;
  /** Undefined while either direction still holds. */
  #booked: BookedEnds | undefined;
  /** The balances while either direction still holds, up to those that can be joined. */
  #passed: Decimal[] = [];

  follow(step: BalanceStep): void {
    const last = this.#last;
    this.#first ??= step;
    this.#last = step;
    if (this.#booked === undefined && this.#passed.length <= joinedMaxCount) this.#passed.push(step.balance);
    if (last === undefined) return;
    const wasOldestFirst = this.#oldestFirst === undefined;
    if (this.#oldestFirst === undefined) this.#oldestFirst = discrepancyOf(step, last.balance.add(step.change));
    if (this.#newestFirst === undefined) this.#newestFirst = discrepancyOf(step, last.balance.subtract(last.change));
    if (this.#oldestFirst === undefined || this.#newestFirst === undefined) return;
    this.#booked ??= this.#bookedFrom(wasOldestFirst ? this.#first : last, wasOldestFirst ? last : this.#first);
    this.#booked.add(endsOf(step, step));
  }

  /** Whether a row's balance follows from the last row that was followed, in each order. */
  joins({ change, balance }: BalanceStep): Record<Direction, boolean> {
    const last = this.#last;
    return {
      oldestFirst: last?.balance.add(change).equals(balance) === true,
      newestFirst: last?.balance.subtract(last.change).equals(balance) === true,
    };
  }

  /**
   * The balances at both ends where rows are in another order than they were booked, as a service does that sorts by
   * value date; undefined while balances follow in either direction, or where rows are missing.
   */
  get bookedEnds(): OuterBalances | undefined {
    return this.#booked?.ends;
  }

  /** The one order in which the balances follow; undefined where they do in both, or in neither. */
  get direction(): Direction | undefined {
    const isOldestFirst = this.#oldestFirst === undefined;
    if (isOldestFirst === (this.#newestFirst === undefined)) return undefined;
    return isOldestFirst ? "oldestFirst" : "newestFirst";
  }

  /**
   * Where balances follow in both directions, or in neither, the dates decide.
   * @param first the value date of the first row
   * @param last that of the last one
   */
  isNewestFirst(first: string, last: string): boolean {
    const { direction } = this;
    return direction === undefined ? last !== "" && first > last : direction === "newestFirst";
  }

  /** The rows before this one, each of which follows from the one before. */
  #bookedFrom(oldest: BalanceStep, newest: BalanceStep): BookedEnds {
    const booked = new BookedEnds();
    booked.add(endsOf(oldest, newest), this.#passed.slice(0, -1));
    this.#passed = [];
    return booked;
  }

  /** The first row whose balance does not follow in that order; undefined where all do. */
  discrepancy(isNewestFirst: boolean): Discrepancy | undefined {
    return isNewestFirst ? this.#newestFirst : this.#oldestFirst;
  }
}

function endsOf(oldest: BalanceStep, { balance }: BalanceStep): OuterBalances {
  return { opening: oldest.balance.subtract(oldest.change), closing: balance };
}

function discrepancyOf({ row, reference, balance }: BalanceStep, expected: Decimal): Discrepancy | undefined {
  return balance.equals(expected) ? undefined : { row, reference, what: wrongBalance(balance, expected) };
}
