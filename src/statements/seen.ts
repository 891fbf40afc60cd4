const startSlots = 1 << 12;
/** How full the table gets before it doubles. */
const fillMax = 0.6;
/** No UTF-16 unit: `ab`, `c` is another text than `a`, `bc`. */
const partEnd = 0x1_0000;

/**
 * A set of texts that keeps 64 bits of each instead of the text, so that a million rows need some 16 MB. Two texts
 * share their 64 bits about once in 37 million statements of a million rows.
 */
export class Seen {
  #slots = new Uint32Array(startSlots * 2);
  #count = 0;

  /** Adds a text, which may be given in parts; true when it was there already. */
  add(...parts: readonly string[]): boolean {
    const { low, high } = hash(parts);
    if (this.#place(this.#slots, low, high)) return true;
    this.#count += 1;
    if (this.#count > (this.#slots.length / 2) * fillMax) this.#grow();
    return false;
  }

  #place(slots: Uint32Array, low: number, high: number): boolean {
    const mask = slots.length / 2 - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const [first, second] = [slots[slot * 2], slots[slot * 2 + 1]];
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
      const [low = 0, high = 0] = [this.#slots[index], this.#slots[index + 1]];
      if (low !== 0 || high !== 0) this.#place(larger, low, high);
    }
    this.#slots = larger;
  }
}

/** Two independent FNV-1a runs over the UTF-16 units, with a mark behind each part, each finished with a mixer; never both zero. */
function hash(parts: readonly string[]): { readonly low: number; readonly high: number } {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (const part of parts) {
    for (let index = 0; index < part.length; index += 1) {
      const code = part.charCodeAt(index);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ (code + 0x9e37), 0x85ebca6b);
    }
    low = Math.imul(low ^ partEnd, 0x01000193);
    high = Math.imul(high ^ partEnd, 0x85ebca6b);
  }
  return { low: mix(low) || 1, high: mix(high) };
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
