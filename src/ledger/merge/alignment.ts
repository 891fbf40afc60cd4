/** Which held row each incoming row is. */
export interface Alignment {
  /** For each incoming row the index of its held one; -1 for a new row. */
  readonly matches: readonly number[];
  /** Indexes of incoming rows that keep the place of their held one. */
  readonly fixed: ReadonlySet<number>;
}

/**
 * Matches incoming rows with held ones by their hashes: first equal rows at both ends, then row by row, so that equal
 * rows are matched as often as they are held, in order where possible.
 * @returns for each incoming row the index of its held one; -1 for a new row
 */
export function align(held: readonly number[], incoming: readonly number[]): Int32Array {
  const matches = new Int32Array(incoming.length).fill(-1);
  let start = 0;
  while (start < held.length && start < incoming.length && held[start] === incoming[start]) {
    matches[start] = start;
    start += 1;
  }
  let end = 0;
  while (
    end < held.length - start &&
    end < incoming.length - start &&
    held[held.length - 1 - end] === incoming[incoming.length - 1 - end]
  ) {
    end += 1;
    matches[incoming.length - end] = held.length - end;
  }
  matchBetween(held.slice(start, held.length - end), incoming.slice(start, incoming.length - end), (one, other) => {
    matches[start + other] = start + one;
  });
  return matches;
}

function matchBetween(
  held: readonly number[],
  incoming: readonly number[],
  match: (held: number, incoming: number) => void,
): void {
  if (held.length === 0 || incoming.length === 0) return;
  const places = new Map<number, number[]>();
  for (const [place, hash] of held.entries()) {
    const same = places.get(hash);
    if (same === undefined) places.set(hash, [place]);
    else same.push(place);
  }
  for (const same of places.values()) same.reverse();
  for (const [index, hash] of incoming.entries()) {
    const place = places.get(hash)?.pop();
    if (place !== undefined) match(place, index);
  }
}

/**
 * Among matches that cross each other, those that stay: the longest increasing run. The others have moved.
 * @param matches places of held rows in the order in which they came
 * @returns the indexes in `matches` that stay
 */
export function staying(matches: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const before = new Int32Array(matches.length).fill(-1);
  for (const [index, place] of matches.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((matches[tails[middle] ?? 0] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  }
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.add(at);
  return kept;
}

const seeds = [0x811c9dc5, 0x9dc5811c] as const;
const factors = [0x01000193, 0x85ebca6b] as const;
const highBits = 0x1fffff;
const lowSize = 2 ** 32;

/** A 53-bit hash of a text. Texts with the same hash are compared later. */
export function textHash(text: string): number {
  let [low, high] = [seeds[0] as number, seeds[1] as number];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, factors[0]);
    high = Math.imul(high ^ unit, factors[1]);
    high ^= high >>> 13;
  }
  return ((high ^ low) & highBits) * lowSize + (low >>> 0);
}
