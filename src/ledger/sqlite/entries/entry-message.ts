import type { FindableTexts } from "../../terms/row-terms.ts";
import type { StoredEntry } from "./entry.ts";
import type { InsertedEntry } from "./entry-inserter.ts";

/** Texts of a row that are sent as they are; its JSON is sent as UTF-8. */
const textNames = [
  "reference",
  "narration",
  "description",
  "paymentReference",
  "transactionId",
  "payerNumber",
  "payerName",
  "feeOf",
  "amount",
] as const satisfies readonly (keyof FindableTexts)[];
/** Positions within the numbers of a row; the lengths of its texts come last. */
const [placeAt, marksAt, rawBytesAt, changeAt, balanceAt, dayCharsAt, textsAt] = [0, 1, 2, 3, 4, 5, 6];
const numberCount = textsAt + textNames.length;
const [utf16Bytes, utf8MaxBytes] = [2, 3];
/** `wideMark`: a text has a character beyond U+00FF. */
const [creditMark, debitMark, feeMark, wideMark] = [1, 2, 4, 8];
const wide = /[\u0100-\uffff]/;
const firstBytes = 2 ** 19;

/**
 * Rows as a message to another thread. Its buffers are transferred: nothing is copied, and no strings are serialized.
 */
export interface EntryMessage {
  readonly rows: number;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Changes and balances that a double can't hold exactly, by their positions in `numbers`. */
  readonly large: ReadonlyMap<number, bigint>;
}

/** Writes rows into a message. */
export class EntryPacker {
  readonly #rowsMax: number;
  #rows = 0;
  #numbers: Float64Array<ArrayBuffer>;
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;
  #large = new Map<number, bigint>();
  readonly #spare: { numbers: Float64Array<ArrayBuffer>; bytes: Buffer<ArrayBuffer> }[] = [];

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.#numbers = new Float64Array(rowsMax * numberCount);
    this.#bytes = Buffer.from(new ArrayBuffer(firstBytes));
  }

  get isFull(): boolean {
    return this.#rows === this.#rowsMax;
  }

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  add({ raw, day, texts, side, isFee, change, balance }: StoredEntry, place: number): void {
    const [numbers, first] = [this.#numbers, this.#rows * numberCount];
    let text = day;
    for (let index = 0; index < textNames.length; index += 1) {
      const value = texts[textNames[index] ?? "reference"];
      numbers[first + textsAt + index] = value.length;
      if (value !== "") text += value;
    }
    this.#makeRoom(text.length * utf16Bytes + raw.length * utf8MaxBytes);
    const isWide = wide.test(text);
    this.#length += this.#bytes.write(text, this.#length, isWide ? "utf16le" : "latin1");
    const rawBytes = this.#bytes.write(raw, this.#length, "utf8");
    this.#length += rawBytes;
    numbers[first + placeAt] = place;
    numbers[first + marksAt] =
      (side === 1 ? creditMark : side === -1 ? debitMark : 0) | (isFee ? feeMark : 0) | (isWide ? wideMark : 0);
    numbers[first + rawBytesAt] = rawBytes;
    numbers[first + dayCharsAt] = day.length;
    this.#put(first + changeAt, change);
    this.#put(first + balanceAt, balance);
    this.#rows += 1;
  }

  /** Gives back the buffers of a received message, to write into again. */
  reuse(numbers: ArrayBuffer, bytes: ArrayBuffer): void {
    this.#spare.push({ numbers: new Float64Array(numbers), bytes: Buffer.from(bytes) });
  }

  /** Takes all rows as a message, and starts a new one. */
  take(): EntryMessage {
    const message = {
      rows: this.#rows,
      numbers: this.#numbers,
      bytes: new Uint8Array(this.#bytes.buffer),
      large: this.#large,
    };
    const spare = this.#spare.pop();
    this.#rows = 0;
    this.#numbers = spare?.numbers ?? new Float64Array(this.#rowsMax * numberCount);
    this.#bytes = spare?.bytes ?? Buffer.from(new ArrayBuffer(this.#bytes.length));
    this.#length = 0;
    this.#large = new Map();
    return message;
  }

  #put(at: number, amount: StoredEntry["change"]): void {
    if (typeof amount === "bigint") this.#large.set(at, amount);
    this.#numbers[at] = typeof amount === "number" ? amount : Number.NaN;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const longer = Buffer.from(new ArrayBuffer(2 * this.#bytes.length + bytes));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}

export function* unpackEntries(message: EntryMessage): Generator<[InsertedEntry, number]> {
  const { rows, numbers, bytes, large } = message;
  const buffer = Buffer.from(bytes.buffer);
  const numberAt = (index: number) => numbers[index] ?? 0;
  const amountAt = (index: number) => (Number.isNaN(numbers[index]) ? (large.get(index) ?? null) : numberAt(index));
  let offset = 0;
  for (let row = 0; row < rows; row += 1) {
    const first = row * numberCount;
    let at = first + textsAt;
    let chars = numberAt(first + dayCharsAt);
    for (let index = 0; index < textNames.length; index += 1) chars += numberAt(at + index);
    const marks = numberAt(first + marksAt);
    const isWide = (marks & wideMark) !== 0;
    const text = buffer.toString(isWide ? "utf16le" : "latin1", offset, (offset += chars * (isWide ? utf16Bytes : 1)));
    let start = 0;
    const next = (length: number) => (length === 0 ? "" : text.slice(start, (start += length)));
    const entry: InsertedEntry = {
      day: next(numberAt(first + dayCharsAt)),
      texts: {
        reference: next(numberAt(at++)),
        narration: next(numberAt(at++)),
        description: next(numberAt(at++)),
        paymentReference: next(numberAt(at++)),
        transactionId: next(numberAt(at++)),
        payerNumber: next(numberAt(at++)),
        payerName: next(numberAt(at++)),
        feeOf: next(numberAt(at++)),
        amount: next(numberAt(at++)),
      },
      raw: bytes.subarray(offset, (offset += numberAt(first + rawBytesAt))),
      side: (marks & creditMark) !== 0 ? 1 : (marks & debitMark) !== 0 ? -1 : 0,
      change: amountAt(first + changeAt),
      balance: amountAt(first + balanceAt),
      isFee: (marks & feeMark) !== 0,
    };
    yield [entry, numberAt(first + placeAt)];
  }
}
