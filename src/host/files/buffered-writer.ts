import { limitYoungGeneration, longBytes } from "../process/gc-tuning.ts";

const slabBytes = 256 * 1024;

/**
 * Collects small writes into slabs, so that a file needs one system call for 256 KiB, not one for each line. A slab
 * that was passed on is never written to again: its receiver may keep it.
 */
export class SlabWriter {
  readonly #take: (bytes: Uint8Array) => Promise<void>;
  #slab: Buffer | undefined;
  #used = 0;
  #taken: Promise<void> = Promise.resolve();
  #takenBefore = this.#taken;
  #writtenBytes = 0;

  constructor(take: (bytes: Uint8Array) => Promise<void>) {
    this.#take = take;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /**
   * Resolves at once while the slab has room, else when the previous slab is written. For a piece longer than a slab,
   * it resolves when that is written.
   */
  write(piece: Uint8Array | string): Promise<void> {
    const bytes = typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
    if (bytes > slabBytes - this.#used) this.#handOn();
    this.#writtenBytes += bytes;
    if (bytes <= slabBytes) {
      this.#add(piece, bytes);
      return this.#takenBefore;
    }
    // A copy, because the caller may reuse its array.
    this.#pass(Buffer.from(piece));
    return this.#taken;
  }

  /** Resolves when the receiver has everything that was written. */
  flush(): Promise<void> {
    this.#handOn();
    return this.#taken;
  }

  #add(piece: Uint8Array | string, bytes: number): void {
    this.#slab ??= Buffer.allocUnsafeSlow(slabBytes);
    if (typeof piece === "string") this.#slab.write(piece, this.#used);
    else this.#slab.set(piece, this.#used);
    this.#used += bytes;
  }

  #handOn(): void {
    if (this.#slab === undefined || this.#used === 0) return;
    const full = this.#slab.subarray(0, this.#used);
    this.#slab = undefined;
    this.#used = 0;
    this.#pass(full);
  }

  #pass(bytes: Uint8Array): void {
    if (this.#writtenBytes > longBytes) limitYoungGeneration();
    this.#takenBefore = this.#taken;
    this.#taken = this.#taken.then(() => this.#take(bytes));
    // The next write or flush throws it; until then it must not count as unhandled.
    this.#taken.catch(() => undefined);
  }
}
