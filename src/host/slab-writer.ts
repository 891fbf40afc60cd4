import { holdYoungHeap } from "./young-heap.ts";

const slabBytes = 64 * 1024;
/** What is longer comes from a run that makes new objects all the time. */
const longBytes = 1024 * 1024;

/**
 * Gathers small writes into slabs, so that a file costs one system call for 64 KiB and not one for each line.
 * A slab that was handed on is never written to again: the taker may keep it.
 */
export class SlabWriter {
  readonly #take: (bytes: Uint8Array) => Promise<void>;
  #slab: Buffer | undefined;
  #used = 0;
  #taken: Promise<void> = Promise.resolve();
  #writtenBytes = 0;

  constructor(take: (bytes: Uint8Array) => Promise<void>) {
    this.#take = take;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Resolves at once while the slab has room, and after the taker took it otherwise. */
  write(piece: Uint8Array | string): Promise<void> {
    if (typeof piece === "string" && piece.length * 3 <= slabBytes - this.#used) {
      this.#count(this.#room().write(piece, this.#used));
      return this.#taken;
    }
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    if (bytes.length > slabBytes - this.#used) this.#handOn();
    if (bytes.length > slabBytes) return this.#passCopy(bytes);
    this.#room().set(bytes, this.#used);
    this.#count(bytes.length);
    return this.#taken;
  }

  /** Resolves when all that was written is with the taker. */
  flush(): Promise<void> {
    this.#handOn();
    return this.#taken;
  }

  #count(bytes: number): void {
    this.#used += bytes;
    this.#writtenBytes += bytes;
  }

  /** A copy, because the writer may use its own array again. */
  #passCopy(bytes: Uint8Array): Promise<void> {
    this.#writtenBytes += bytes.length;
    return this.#pass(Buffer.from(bytes));
  }

  #room(): Buffer {
    return (this.#slab ??= Buffer.allocUnsafeSlow(slabBytes));
  }

  #handOn(): void {
    if (this.#slab === undefined || this.#used === 0) return;
    const full = this.#slab.subarray(0, this.#used);
    this.#slab = undefined;
    this.#used = 0;
    void this.#pass(full);
  }

  #pass(bytes: Uint8Array): Promise<void> {
    if (this.#writtenBytes > longBytes) holdYoungHeap();
    this.#taken = this.#taken.then(() => this.#take(bytes));
    // Whoever writes or flushes next hears of it; until then it must not count as unhandled.
    this.#taken.catch(() => undefined);
    return this.#taken;
  }
}
