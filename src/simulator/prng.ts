const idAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const idChars = 12;

/**
 * A random number generator that gives the same numbers on every run, for ids, amounts and hours of the simulator. Its
 * whole state is one number (mulberry32), so that a state file can continue where it stopped. Not for secrets.
 */
export class Prng {
  #state: number;

  constructor(state: number) {
    this.#state = state >>> 0;
  }

  /** A generator for one purpose: numbers drawn from it don't shift those of others. */
  static of(seedNumber: number, purpose: string): Prng {
    // FNV-1a over the purpose, seeded with the number.
    let hash = (0x811c9dc5 ^ seedNumber) >>> 0;
    for (const character of purpose) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    return new Prng(hash);
  }

  get state(): number {
    return this.#state;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.integer(0, choices.length - 1)] ?? choices[0];
  }

  /** An id as the service makes them: 12 characters of `[A-Za-z0-9]`. */
  id(): string {
    return Array.from({ length: idChars }, () => idAlphabet.charAt(this.integer(0, idAlphabet.length - 1))).join("");
  }

  /** Spec 2.3: merchant accounts' entries are named by a UUID. */
  uuid(): string {
    const hex = Array.from({ length: 30 }, () => this.integer(0, 15).toString(16)).join("");
    const variant = this.pick(["8", "9", "a", "b"]);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(12, 15)}`,
      variant + hex.slice(15, 18),
      hex.slice(18, 30),
    ].join("-");
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
