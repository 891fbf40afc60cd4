import { integers } from "./columns.ts";

const startUnits = 1 << 16;
const startSlots = 1 << 12;
/** How full the table gets before it doubles. */
const fillMax = 0.5;
/** `String.fromCharCode` takes its units as arguments, of which there cannot be any number. */
const sliceUnits = 8192;

/**
 * Texts that are kept once each and known by a number: what millions of references are compared by. They are copied,
 * because a text that was read may hold on to the megabyte that it was cut from. 0 is the empty text.
 */
export class Texts {
  #units = new Uint16Array(startUnits);
  /** Where each text begins; the next one's beginning is its end. */
  readonly #starts = integers();
  readonly #hashes = integers();
  #slots = new Int32Array(startSlots);

  constructor() {
    this.#starts.push(0);
    this.#starts.push(0);
    this.#hashes.push(0);
  }

  /** How many there are, the empty one included. */
  get count(): number {
    return this.#starts.length - 1;
  }

  /** The number of the text, a new one where it was not there. */
  idOf(text: string): number {
    if (text === "") return 0;
    const hash = hashOf(text);
    const slot = this.#slotOf(text, hash);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known;
    const id = this.count;
    this.#keep(text);
    this.#hashes.push(hash);
    this.#slots[slot] = id;
    if (id > this.#slots.length * fillMax) this.#grow();
    return id;
  }

  /** The number of a text that is there. */
  find(text: string): number | undefined {
    if (text === "") return 0;
    return this.#slots[this.#slotOf(text, hashOf(text))] || undefined;
  }

  textOf(id: number): string {
    const end = this.#starts.at(id + 1);
    let text = "";
    for (let start = this.#starts.at(id); start < end; start += sliceUnits)
      text += fromUnits(this.#units.subarray(start, Math.min(end, start + sliceUnits)));
    return text;
  }

  /** By UTF-16 units, the same on every machine. */
  compare(one: number, other: number): number {
    let [a, b] = [this.#starts.at(one), this.#starts.at(other)];
    const [aEnd, bEnd] = [this.#starts.at(one + 1), this.#starts.at(other + 1)];
    for (; a < aEnd && b < bEnd; a += 1, b += 1) {
      const difference = (this.#units[a] ?? 0) - (this.#units[b] ?? 0);
      if (difference !== 0) return difference;
    }
    return aEnd - a - (bEnd - b);
  }

  /** The slot where the text stands, or where it would. */
  #slotOf(text: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? 0;
      if (id === 0 || (this.#hashes.at(id) === hash && this.#is(id, text))) return slot;
    }
  }

  #is(id: number, text: string): boolean {
    const start = this.#starts.at(id);
    if (this.#starts.at(id + 1) - start !== text.length) return false;
    for (let index = 0; index < text.length; index += 1)
      if (this.#units[start + index] !== text.charCodeAt(index)) return false;
    return true;
  }

  #keep(text: string): void {
    const start = this.#starts.at(this.count);
    const end = start + text.length;
    if (end > this.#units.length) {
      const larger = new Uint16Array(Math.max(end, this.#units.length * 2));
      larger.set(this.#units);
      this.#units = larger;
    }
    for (let index = 0; index < text.length; index += 1) this.#units[start + index] = text.charCodeAt(index);
    this.#starts.push(end);
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 1; id < this.count; id += 1) {
      let slot = this.#hashes.at(id) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

function fromUnits(units: Uint16Array): string {
  return Reflect.apply(String.fromCharCode, undefined, units);
}

/** FNV-1a over the UTF-16 units, finished with a mixer. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
