import { visible } from "./text/text.ts";

const shown = "[secret]";
/** The last four characters of a secret are shown only if they are at most a fifth of it. */
const maskMinChars = 20;
const maskTailChars = 4;

/**
 * A text that must not be shown: a key, a token. Printing, inspecting or serializing it gives `[secret]`; only `reveal`
 * returns the text, so that every use can be found by that word.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  /** What `console.log` and `util.inspect` show. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return shown;
  }
}

/** Enough of a secret for its owner to recognize it: the last four characters of a long one, else nothing. */
export function mask(text: string): string {
  return text.length < maskMinChars ? "********" : `********${visible(text.slice(-maskTailChars))}`;
}
