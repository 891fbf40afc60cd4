import type { Decimal } from "../values/money/decimal.ts";
import { Joined } from "./joined.ts";

/** What an account held before and after rows. */
export interface OuterBalances {
  readonly opening: Decimal;
  readonly closing: Decimal;
}

/** With more balances than these that rows lead only to or only from, further rows are ignored. */
const openMaxCount = 50_000;

/**
 * The balances at both ends of rows, in whatever order they come: one more row starts from the opening balance than
 * leads to it, and one fewer from the closing. A balance with as many rows to it as from it is dropped. Rows that lead
 * back to where they began count only if others pass through one of their balances: else a row is missing between.
 */
export class BookedEnds {
  readonly #excess = new Map<string, { readonly balance: Decimal; readonly count: number }>();
  readonly #joined = new Joined();

  /**
   * Adds a row, or rows that follow each other.
   * @param between the balances between such rows
   */
  add({ opening, closing }: OuterBalances, between: readonly Decimal[] = []): void {
    if (this.#excess.size > openMaxCount) return;
    this.#shift(opening, 1);
    this.#shift(closing, -1);
    for (const balance of [closing, ...between]) this.#joined.join(opening.trimmed(), balance.trimmed());
  }

  /** Undefined where rows are missing, or lead back to where they began. */
  get ends(): OuterBalances | undefined {
    const [one, other, third] = this.#excess.values();
    if (one === undefined || other === undefined || third !== undefined || !this.#joined.areAll) return undefined;
    const [first, last] = one.count > 0 ? [one, other] : [other, one];
    return first.count === 1 && last.count === -1 ? { opening: first.balance, closing: last.balance } : undefined;
  }

  #shift(balance: Decimal, by: number): void {
    const key = balance.trimmed();
    const count = (this.#excess.get(key)?.count ?? 0) + by;
    if (count === 0) this.#excess.delete(key);
    else this.#excess.set(key, { balance, count });
  }
}
