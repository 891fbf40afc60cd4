/** A member's name that was read before. */
export interface Key {
  readonly name: string;
  /** How it stands before its value: `"name":`. */
  readonly text: string;
  /** How it stands behind another member. */
  readonly afterComma: string;
  /** The name that came after it in the text the last time. */
  next: Key | undefined;
}

const keysMax = 256;
const nameMaxChars = 64;

/**
 * The order in which names follow each other in a text. The records of a list repeat the same names in the same order,
 * so the next one is known before it is read: comparing it is cheaper than reading it, and a million records share one
 * string. A wrong guess costs nothing but the reading.
 */
export class KeyOrder {
  readonly #keys = new Map<string, Key>();
  #last: Key = { name: "", text: "", afterComma: "", next: undefined };

  /** The name that followed the last one the last time. */
  guess(): Key | undefined {
    return this.#last.next;
  }

  /** Goes on to the name that was guessed. */
  follow(): string {
    this.#last = this.#last.next ?? this.#last;
    return this.#last.name;
  }

  /** Goes on to a name that was read. With its quotes and its colon it took up `length` characters. */
  learn(name: string, length: number): void {
    const key = this.#keys.get(name) ?? this.#remember(name, length);
    if (key === undefined) return;
    this.#last.next = key;
    this.#last = key;
  }

  #remember(name: string, length: number): Key | undefined {
    const text = `"${name}":`;
    // Longer with escapes, white space or bytes of UTF-8: then it did not stand there like this, and must not be guessed.
    if (text.length !== length || name.length > nameMaxChars || this.#keys.size >= keysMax) return undefined;
    const key: Key = { name, text, afterComma: `,${text}`, next: undefined };
    this.#keys.set(name, key);
    return key;
  }
}
