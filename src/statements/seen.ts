const startSlots = 1 << 12;
/** How full the table gets before it doubles. */
const fillMax = 0.6;
const unitBits = 16;
/** No UTF-16 unit; it ends each part of an even length: `ab`, `c` is another text than `a`, `bc`. */
const noUnit = 0x1_0000;

/**
 * A set of texts that keeps 64 bits of each instead of the text, so that a million rows need some 16 MB. Two texts
 * share their 64 bits about once in 37 million statements of a million rows.
 */
export class Seen {
  #slots = new Uint32Array(startSlots * 2);
  #count = 0;

  /** Adds a text, which may be given in parts; true when it was there already. */
  add(...parts: readonly string[]): boolean {
    let low = 0x811c9dc5;
    let high = 0x9dc5811c;
    for (const part of parts) {
      const pairsEnd = part.length & ~1;
      for (let index = 0; index < pairsEnd; index += 2) {
        const pair = part.charCodeAt(index) | (part.charCodeAt(index + 1) << unitBits);
        low = Math.imul(low ^ pair, 0x01000193);
        low ^= low >>> 15;
        high = Math.imul(high ^ (pair + 0x9e37), 0x85ebca6b);
        high ^= high >>> 13;
      }
      const last = part.length > pairsEnd ? part.charCodeAt(pairsEnd) : noUnit;
      low = Math.imul(low ^ last, 0x01000193);
      high = Math.imul(high ^ last, 0x85ebca6b);
    }
    return this.#keep(mix(low) || 1, mix(high));
  }

  #keep(low: number, high: number): boolean {
    if (this.#place(this.#slots, low, high)) return true;
    this.#count += 1;
    if (this.#count > (this.#slots.length / 2) * fillMax) this.#grow();
    return false;
  }

  #place(slots: Uint32Array, low: number, high: number): boolean {
    const mask = slots.length / 2 - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const first = slots[slot * 2];
      const second = slots[slot * 2 + 1];
      if (first === low && second === high) return true;
      if (first === 0 && second === 0) {
        slots[slot * 2] = low;
        slots[slot * 2 + 1] = high;
        return false;
      }
    }
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (let index = 0; index < this.#slots.length; index += 2) {
      const low = this.#slots[index] ?? 0;
      const high = this.#slots[index + 1] ?? 0;
      if (low !== 0 || high !== 0) this.#place(larger, low, high);
    }
    this.#slots = larger;
  }
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
