const firstBasis = 0x811c9dc5;
const secondBasis = 0x9dc5811c;
const firstFactor = 0x01000193;
const secondFactor = 0x85ebca6b;
/** The bits that a number holds exactly above the low 32. */
const highMask = 0x1f_ffff;
const highFactor = 2 ** 32;

/**
 * Places by key. Only a hash of 53 bits is kept of a key, because keys are as long as the lines of a file. Where a hash
 * matches, the key is computed again and compared.
 */
export class PlacesByKey {
  readonly #keyOf: (place: number) => string | undefined;
  readonly #places = new Map<number, number | number[]>();

  /** @param keyOf must return the same key for a place each time; undefined for a place without one */
  constructor(keyOf: (place: number) => string | undefined) {
    this.#keyOf = keyOf;
  }

  add(place: number): void {
    const key = this.#keyOf(place);
    if (key === undefined) return;
    const hash = hashOf(key);
    const same = this.#places.get(hash);
    if (same === undefined) this.#places.set(hash, place);
    else if (typeof same === "number") this.#places.set(hash, [same, place]);
    else same.push(place);
  }

  /** Removes and returns the place that was added last with that key. */
  take(key: string | undefined): number | undefined {
    if (key === undefined) return undefined;
    const hash = hashOf(key);
    const same = this.#places.get(hash);
    if (typeof same === "number") {
      if (this.#keyOf(same) !== key) return undefined;
      this.#places.delete(hash);
      return same;
    }
    const at = same?.findLastIndex((place) => this.#keyOf(place) === key) ?? -1;
    return at < 0 ? undefined : same?.splice(at, 1)[0];
  }
}

function hashOf(text: string): number {
  let [low, high] = [firstBasis, secondBasis];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, firstFactor);
    high = Math.imul(high ^ unit, secondFactor);
    high ^= low >>> 15;
  }
  return (low >>> 0) + (high & highMask) * highFactor;
}
