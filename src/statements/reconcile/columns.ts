const startLength = 1024;

type Numbers = Int32Array | Float64Array | Uint8Array;

/** Numbers in a row, one for each row of a side: a million of them take a few megabytes, where objects take hundreds. */
class Column<N extends Numbers> {
  #values: N;
  #length = 0;
  readonly #make: (length: number) => N;

  constructor(make: (length: number) => N) {
    this.#make = make;
    this.#values = make(startLength);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }
}

/** Ids, indexes and days. */
export type Integers = Column<Int32Array>;
export type Reals = Column<Float64Array>;
/** Scales and flags. */
export type Bytes = Column<Uint8Array>;

export function integers(): Integers {
  return new Column((length) => new Int32Array(length));
}

export function reals(): Reals {
  return new Column((length) => new Float64Array(length));
}

export function bytes(): Bytes {
  return new Column((length) => new Uint8Array(length));
}
