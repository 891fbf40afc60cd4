import { Decimal } from "../../values/money/decimal.ts";

/**
 * Tracks by how much the balances of known rows have moved, which new or deleted rows before them explain. One late row
 * moves the balances of all later rows, and doesn't count as a change of theirs.
 */
export class ShiftedBalances {
  /** Undefined before the first known row: its shift comes from earlier rows. */
  #moved: Decimal | undefined;
  #since = Decimal.zero;

  /** A row came (`1`) or went (`-1`). */
  take(change: Decimal | undefined, sign: 1 | -1): void {
    if (change === undefined) return;
    const moved = sign === 1 ? change : change.negate();
    this.#since = this.#since.add(moved);
  }

  /** @returns false where a known row's balance is another and nothing that came or went says why */
  explain(old: Decimal | undefined, now: Decimal | undefined): boolean {
    if (old === undefined && now === undefined) return true;
    if (old === undefined || now === undefined) return false;
    const moved = now.subtract(old);
    const before = this.#moved;
    const since = this.#since;
    this.#moved = moved;
    this.#since = Decimal.zero;
    // A row that fills a gap of the service's own moves nothing.
    return before === undefined || moved.equals(before.add(since)) || moved.equals(before);
  }
}
