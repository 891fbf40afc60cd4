import type { StoredEntry } from "../entries/entry.ts";

/** A stretch of consecutive rows, each of which continues the balance of the one before. */
export interface Followed {
  /** The numbers of the first and the last of them. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
}

/** Shorter stretches are quickly checked in the ledger itself. */
const minRows = 1_000;

/** Follows the balances of rows while they are stored, as far as whole smallest units are exact. */
export class Following {
  #first = 0;
  #last = 0;
  #rows = 0;
  #balance: number | undefined;
  #stretches: Followed[] = [];

  look({ change, balance }: StoredEntry, place: number): void {
    const isExact = Number.isSafeInteger(change) && Number.isSafeInteger(balance);
    const [own, left] = [Number(change), Number(balance)];
    if (!isExact || this.#balance === undefined || this.#balance + own !== left) {
      this.#end();
      this.#first = place;
    }
    this.#balance = isExact ? left : undefined;
    this.#last = place;
    this.#rows += 1;
  }

  /** Takes the stretches that are long enough to skip in a check, and starts again. */
  take(): readonly Followed[] {
    this.#end();
    this.#balance = undefined;
    const stretches = this.#stretches;
    this.#stretches = [];
    return stretches;
  }

  #end(): void {
    if (this.#rows >= minRows) this.#stretches.push({ first: this.#first, last: this.#last, rows: this.#rows });
    this.#rows = 0;
  }
}

/** The ranges from `start` to `end` that are left to check: each stretch is skipped from its second row to its last. */
export function placesLeft(
  { start, end }: { readonly start: number; readonly end: number },
  stretches: readonly Followed[],
): readonly { readonly start: number; readonly end: number }[] {
  const left = [];
  let from = start;
  for (const { first, last } of stretches.toSorted((one, other) => one.first - other.first)) {
    left.push({ start: from, end: first });
    from = last + 1;
  }
  return [...left, { start: from, end }];
}
