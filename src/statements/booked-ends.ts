import type { Decimal } from "../values/money/decimal.ts";

/** What an account held before and after rows. */
export interface OuterBalances {
  readonly opening: Decimal;
  readonly closing: Decimal;
}

/** With more balances than these that rows lead only to or only from, further rows are ignored. */
const openMaxCount = 50_000;

/**
 * The balances at both ends of rows, in whatever order they come: one more row starts from the opening balance than
 * leads to it, and one fewer from the closing. A balance with as many rows to it as from it is dropped.
 */
export class BookedEnds {
  readonly #excess = new Map<string, { readonly balance: Decimal; readonly count: number }>();

  /** Adds a row, or rows that follow each other. */
  add({ opening, closing }: OuterBalances): void {
    if (this.#excess.size > openMaxCount) return;
    this.#shift(opening, 1);
    this.#shift(closing, -1);
  }

  /** Undefined where rows are missing, or lead back to where they began. */
  get ends(): OuterBalances | undefined {
    const [one, other, third] = this.#excess.values();
    if (one === undefined || other === undefined || third !== undefined) return undefined;
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
