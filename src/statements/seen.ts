const startSlots = 1 << 12;
/** How full the table gets before it doubles. */
const fillMax = 0.6;

/**
 * A set of texts that keeps 64 bits of each instead of the text, so that a million rows need some 16 MB. Two texts
 * share their 64 bits about once in 37 million statements of a million rows.
 */
export class Seen {
  #slots = new Uint32Array(startSlots * 2);
  #count = 0;

  /** Adds the text; true when it was there already. */
  add(text: string): boolean {
    const [low, high] = hash(text);
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

/** Two independent FNV-1a runs over the UTF-16 units, each finished with a mixer; never both zero. */
function hash(text: string): [number, number] {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + 0x9e37), 0x85ebca6b);
  }
  return [mix(low) || 1, mix(high)];
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
