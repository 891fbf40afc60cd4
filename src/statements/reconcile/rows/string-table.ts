import { roomFor, startRows } from "../../packing/columns.ts";

const startUnits = 1 << 16;
const unitBytes = 2;
const startSlots = 1 << 12;
/** How full the table gets before it doubles. */
const fillMax = 0.5;
/** FNV-1a over the UTF-16 units. */
const fnvBasis = 0x811c9dc5;
const fnvPrime = 0x01000193;
/** Sixteen slots are adjacent. */
const neighboursMask = 0xf;

/**
 * Texts that are stored once each under an id, so that millions of references are compared as numbers. They are copied,
 * because a text may keep in memory the megabyte that it was cut from. 0 is the empty text.
 */
export class StringTable {
  #units = new Uint16Array(startUnits);
  /** The same memory. */
  #bytes = Buffer.from(this.#units.buffer);
  /** Where each text begins; the next one's beginning is its end. */
  #starts = new Int32Array(startRows);
  #count = 1;
  /** A hash and, after it, the number of the text that has it; 0 where the slot is free. */
  #slots = new Int32Array(startSlots * 2);

  /** The number of texts, including the empty one. */
  get count(): number {
    return this.#count;
  }

  /** The id of the text; a new one where it was not stored. */
  idOf(text: string): number {
    if (text === "") return 0;
    const hash = this.#write(text);
    const slot = this.#slotOf(text.length, hash);
    const known = this.#slots[slot + 1] ?? 0;
    if (known !== 0) return known;
    const id = this.#keep(text.length);
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = id;
    if (id > (this.#slots.length / 2) * fillMax) this.#makeSlots(this.#slots.length * 2);
    return id;
  }

  /** The id of a text; undefined where it is not stored. */
  find(text: string): number | undefined {
    if (text === "") return 0;
    const hash = this.#write(text);
    return this.#slots[this.#slotOf(text.length, hash) + 1] || undefined;
  }

  textOf(id: number): string {
    return this.#bytes.toString("utf16le", this.#startOf(id) * unitBytes, this.#startOf(id + 1) * unitBytes);
  }

  /** By UTF-16 units, the same on every machine. */
  compare(one: number, other: number): number {
    let [a, b] = [this.#startOf(one), this.#startOf(other)];
    const [aEnd, bEnd] = [this.#startOf(one + 1), this.#startOf(other + 1)];
    for (; a < aEnd && b < bEnd; a += 1, b += 1) {
      const difference = (this.#units[a] ?? 0) - (this.#units[b] ?? 0);
      if (difference !== 0) return difference;
    }
    return aEnd - a - (bEnd - b);
  }

  #startOf(id: number): number {
    return this.#starts[id] ?? 0;
  }

  /**
   * Writes a text after all stored ones, where it is compared with them, and kept if it is new.
   * @returns its hash. Texts that differ only in their last character, as consecutive references do, have neighbouring
   * hashes, so that the slot of the next one is already in the processor's cache.
   */
  #write(text: string): number {
    const start = this.#startOf(this.#count);
    const end = start + text.length;
    if (end > this.#units.length) this.#makeRoom(Math.max(end, this.#units.length * 2));
    const units = this.#units;
    const last = text.length - 1;
    let hash = fnvBasis;
    for (let index = 0; index < last; index += 1) {
      const unit = text.charCodeAt(index);
      units[start + index] = unit;
      hash = Math.imul(hash ^ unit, fnvPrime);
    }
    const unit = text.charCodeAt(last);
    units[end - 1] = unit;
    return (mixed(hash) & ~neighboursMask) | (unit & neighboursMask);
  }

  /** The slot of the text, or the slot where it would go. */
  #slotOf(length: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = placeOf(hash, mask); ; slot = (slot + 2) & mask) {
      const id = slots[slot + 1] ?? 0;
      if (id === 0 || (slots[slot] === hash && this.#equalsWritten(id, length))) return slot;
    }
  }

  #equalsWritten(id: number, length: number): boolean {
    const units = this.#units;
    const [start, written] = [this.#startOf(id), this.#startOf(this.#count)];
    if (this.#startOf(id + 1) - start !== length) return false;
    for (let index = 0; index < length; index += 1) if (units[start + index] !== units[written + index]) return false;
    return true;
  }

  /** Keeps the text that was written last. */
  #keep(length: number): number {
    const id = this.#count;
    if (id + 1 === this.#starts.length) this.#starts = roomFor(this.#starts.length * 2, this.#starts, Int32Array);
    this.#starts[id + 1] = this.#startOf(id) + length;
    this.#count = id + 1;
    return id;
  }

  #makeRoom(length: number): void {
    this.#units = roomFor(length, this.#units, Uint16Array);
    this.#bytes = Buffer.from(this.#units.buffer);
  }

  #makeSlots(length: number): void {
    const slots = new Int32Array(length);
    const mask = length - 1;
    for (let from = 0; from < this.#slots.length; from += 2) {
      const [hash = 0, id = 0] = [this.#slots[from], this.#slots[from + 1]];
      if (id === 0) continue;
      let slot = placeOf(hash, mask);
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = hash;
      slots[slot + 1] = id;
    }
    this.#slots = slots;
  }
}

/** Mixes all bits of a hash, since its low ones choose the slot. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return once ^ (once >>> 13);
}

/** Where the search for a hash begins: the index of a slot's first number. */
function placeOf(hash: number, mask: number): number {
  return (hash << 1) & mask;
}
