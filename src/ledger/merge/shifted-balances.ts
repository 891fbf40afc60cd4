import { Decimal } from "../../values/money/decimal.ts";

/**
 * Tracks how far the balances of known rows have shifted because of new or deleted rows before them. One late row
 * shifts the balances of all later rows; that doesn't count as a change of theirs.
 */
export class ShiftedBalances {
  /** Undefined before the first known row: its shift comes from earlier rows. */
  #moved: Decimal | undefined;
  #since = Decimal.zero;

  /** Records a row that came (`1`) or went (`-1`). */
  take(change: Decimal | undefined, sign: 1 | -1): void {
    if (change === undefined) return;
    const moved = sign === 1 ? change : change.negate();
    this.#since = this.#since.add(moved);
  }

  /** @returns false where a known row's balance has changed and no row that came or went explains it */
  explain(old: Decimal | undefined, now: Decimal | undefined): boolean {
    if (old === undefined && now === undefined) return true;
    if (old === undefined || now === undefined) return false;
    const moved = now.subtract(old);
    const before = this.#moved;
    const since = this.#since;
    this.#moved = moved;
    this.#since = Decimal.zero;
    // A late row that fills a gap in the service's own balances shifts nothing.
    return before === undefined || moved.equals(before.add(since)) || moved.equals(before);
  }
}
