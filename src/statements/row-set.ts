const startSlots = 1 << 12;
/** How full the table gets before it doubles. */
const fillMax = 0.6;
const unitBits = 16;
/** Odd, so that multiplying by one of them loses no bits. */
const lowFactor = 0x9e3779b1;
const highFactor = 0x85ebca6b;
const lastLowFactor = 0xc2b2ae35;
const lastHighFactor = 0x27d4eb2f;

/**
 * A set of texts that keeps 64 bits of each instead of the text, so that a million rows need some 16 MB. Two texts
 * share their 64 bits about once in 37 million statements of a million rows.
 */
export class RowSet {
  #slots = new Uint32Array(startSlots * 2);
  #count = 0;

  /**
   * Adds a text, which may be given in parts; true when it was there already. Four units at a time are mixed into two
   * halves of a hash; the rest of a part ends it, and swaps the halves: `ab`, `c` differs from `a`, `bc`.
   */
  add(...parts: readonly string[]): boolean {
    let low = 0x811c9dc5;
    let high = 0x9dc5811c;
    for (const part of parts) {
      let at = 0;
      for (; at + 3 < part.length; at += 4) {
        low = Math.imul(low ^ pairAt(part, at), lowFactor);
        high = Math.imul(high ^ pairAt(part, at + 2), highFactor);
        low ^= high >>> 15;
        high ^= low >>> 13;
      }
      const left = part.length - at;
      const one = left > 0 ? part.charCodeAt(at) : 0;
      const others = left > 2 ? pairAt(part, at + 1) : left > 1 ? part.charCodeAt(at + 1) : 0;
      const before = low;
      low = Math.imul(high ^ (left | (one << unitBits)), lastLowFactor);
      high = Math.imul(before ^ others, lastHighFactor);
      low ^= high >>> 15;
      high ^= low >>> 13;
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

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << unitBits);
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
