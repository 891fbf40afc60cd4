const lineEnd = 0x0a;
const quoteMark = 0x22;

/**
 * The beginning of a sheet's record whose end has not arrived yet. However small the pieces are, each byte is scanned
 * once, and copied a few times.
 */
export class BegunRecord {
  #room = Buffer.alloc(0);
  #length = 0;
  #isInQuotes = false;

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  /**
   * Adds the next piece.
   * @returns the bytes up to the end of the last whole record; undefined without one
   */
  add(chunk: Uint8Array): Uint8Array | undefined {
    const end = this.#endOfRecords(chunk);
    const whole = chunk.subarray(0, end);
    const records = this.#length === 0 || end === 0 ? whole : Buffer.concat([this.bytes, whole]);
    if (end > 0) this.#length = 0;
    this.#keep(chunk.subarray(end));
    return end > 0 ? records : undefined;
  }

  #keep(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) this.#room = Buffer.concat([this.bytes], 2 * length);
    this.#room.set(piece, this.#length);
    this.#length = length;
  }

  /** The end of the last record: after a line end outside quotes. */
  #endOfRecords(chunk: Uint8Array): number {
    if (!this.#isInQuotes && !chunk.includes(quoteMark)) return chunk.lastIndexOf(lineEnd) + 1;
    let end = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === quoteMark) this.#isInQuotes = !this.#isInQuotes;
      else if (byte === lineEnd && !this.#isInQuotes) end = at + 1;
    }
    return end;
  }
}
