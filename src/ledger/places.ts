/**
 * A row's place among the rows of all accounts is a whole number that a double holds exactly. Each account has a span
 * of its own, in which its rows go up from the middle, with room between any two.
 */
export const accountSpan = 2 ** 42;
/** The default distance between two rows: it leaves 2³¹ rows on either side of the middle. */
export const placeStep = 2 ** 10;
/** The first and last place of an account. */
export function placesOf({ number }: { readonly number: number }): { readonly first: number; readonly last: number } {
  return { first: number * accountSpan, last: (number + 1) * accountSpan - 1 };
}

/** Where the first row of an account is put. */
export function middleOf({ number }: { readonly number: number }): number {
  return number * accountSpan + accountSpan / 2;
}

/** The places of the rows next to a stretch of days. Rows without a day bound nothing. */
export interface Bounds {
  /** Undefined where the stretch begins the account. */
  readonly before: number | undefined;
  /** Undefined where the stretch ends the account. */
  readonly after: number | undefined;
  /** Where the account's first row goes. */
  readonly origin: number;
}

/** True for a place within the bounds. */
export function isWithin({ before = -Infinity, after = Infinity }: Bounds, place: number): boolean {
  return place > before && place < after;
}

/** Where rows are put: the first one is a step after `after`. */
export interface PlaceRange {
  readonly after: number;
  /** The place of the next row; undefined where none follows. */
  readonly before: number | undefined;
  readonly step: number;
}

/**
 * The distance between rows that get new places: it leaves room for `rows` others between any two, unless the account
 * would need more than half of its places.
 * @param held how many rows the account has
 */
export function stepFor(rows: number, held: number): number {
  const widest = Math.floor(accountSpan / 2 / (held + 1));
  return Math.max(placeStep, Math.min(2 * (rows + 1), widest));
}
