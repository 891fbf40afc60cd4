import { Numeral } from "../values/json.ts";
import {
  backslash,
  digit0,
  dot,
  escapes,
  isDigit,
  isSpace,
  lastAscii,
  lowerE,
  lowerU,
  minus,
  plus,
  quote,
  space,
  upperE,
} from "./characters.ts";
import { JsonError } from "./json-error.ts";
import { decodeUtf8 } from "./strings.ts";

/** Thrown where the text ends within a value, but more is to come: then it has to be read again. */
export class MoreNeeded extends Error {
  override readonly name = "MoreNeeded";
}

/** A text to read from. */
export interface JsonText {
  readonly text: string;
  /** False if more may follow: then a value that is cut off throws `MoreNeeded`. */
  readonly isAll: boolean;
  /** True where each character of the text is a byte of UTF-8, decoded as Latin-1. */
  readonly isBytes: boolean;
  /** The bytes of the document before this text. */
  readonly offset: number;
}

// A single instance: it is thrown at the end of each piece, and its stack trace is never shown.
const moreNeeded = new MoreNeeded();
/** Returned in place of a character at the end of the text. */
const end = -1;
/**
 * The regular expression engine throws beyond its own limit for backtracking: up to 20 bytes per character, 64 MiB in
 * all. Text in pieces never gets that long.
 */
const matchedMaxChars = 2 * 1_048_576;

/**
 * The tokens of JSON (RFC 8259): strings, numbers and literals, read one by one, with numbers kept as written. Invalid
 * UTF-8 is read as bytes, and only its strings are decoded, one by one.
 */
export class JsonTokens {
  #text = "";
  #isAll = true;
  #isBytes = false;
  #offset = 0;
  #at = 0;

  /** Starts reading a text. */
  load(from: JsonText): void {
    this.#text = from.text;
    this.#isAll = from.isAll;
    this.#isBytes = from.isBytes;
    this.#offset = from.offset;
    this.#at = 0;
  }

  /** True where each character of the text is a byte of UTF-8. */
  get isBytes(): boolean {
    return this.#isBytes;
  }

  /** How many characters have been read. It can be set back to the end of an earlier value. */
  get at(): number {
    return this.#at;
  }

  set at(at: number) {
    this.#at = at;
  }

  /** How many bytes of UTF-8 the text has up to a position. */
  bytesTo(at: number): number {
    return this.#isBytes ? at : Buffer.byteLength(this.#text.slice(0, at));
  }

  /** Skips white space and returns the code of the next character, or `end`. */
  next(): number {
    let code = this.#codeAt(this.#at);
    while (isSpace(code)) code = this.#codeAt(++this.#at);
    return code;
  }

  /** Skips the match of a sticky pattern at this position, if the text is short enough. */
  match(pattern: RegExp): RegExpExecArray | null {
    if (this.#text.length > matchedMaxChars) return null;
    pattern.lastIndex = this.#at;
    const parts = pattern.exec(this.#text);
    if (parts !== null) this.#at = pattern.lastIndex;
    return parts;
  }

  /** Reads a string from its opening quote. */
  string(): string {
    this.#at++;
    let string = this.#run();
    while (this.#text.charCodeAt(this.#at) === backslash) string += this.#escape() + this.#run();
    this.#at++;
    return string;
  }

  /**
   * Reads the characters of a string up to its end or its next escape. Spec is silent, but banks send narrations in
   * other encodings: a bad byte becomes U+FFFD, instead of failing a million rows.
   */
  #run(): string {
    const text = this.#text;
    const start = this.#at;
    let bits = 0;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote || code === backslash) {
        this.#at = at;
        const run = text.slice(start, at);
        return bits > lastAscii && this.#isBytes ? decodeUtf8(run) : run;
      }
      if (code < space) throw this.unexpected("no control character in a string", at);
      bits |= code;
    }
    throw this.unexpected("the string's end", text.length);
  }

  #escape(): string {
    const code = this.#codeAt(this.#at + 1);
    if (code === lowerU) return this.#unicodeEscape();
    const character = escapes.get(code);
    if (character === undefined) throw this.unexpected("an escape", this.#at + 1);
    this.#at += 2;
    return character;
  }

  /** One UTF-16 unit: two escapes make a surrogate pair, and a lone surrogate is kept. */
  #unicodeEscape(): string {
    const start = this.#at + 2;
    this.#codeAt(start + 3); // Throws unless all four have arrived.
    const digits = this.#text.slice(start, start + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw this.unexpected("four hexadecimal digits", start);
    this.#at = start + 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** Reads the number that begins here. Also refuses characters that begin no value. */
  number(): Numeral {
    const start = this.#at;
    let at = this.#codeAt(start) === minus ? start + 1 : start;
    at = this.#codeAt(at) === digit0 ? at + 1 : this.#digits(at);
    if (this.#codeAt(at) === dot) at = this.#digits(at + 1);
    const exponent = this.#codeAt(at);
    if (exponent === lowerE || exponent === upperE) {
      const sign = this.#codeAt(at + 1);
      at = this.#digits(sign === plus || sign === minus ? at + 2 : at + 1);
    }
    this.#at = at;
    return new Numeral(this.#text.slice(start, at));
  }

  /** The end of a run of digits, which has at least one digit. */
  #digits(start: number): number {
    const text = this.#text;
    let at = start;
    while (at < text.length && isDigit(text.charCodeAt(at))) at++;
    if (at === start) throw this.unexpected("a value", at);
    this.#codeAt(at); // Throws if the next piece may begin with more digits.
    return at;
  }

  /** Reads `true`, `false` or `null`. */
  word<Value>(word: string, value: Value): Value {
    for (let index = 0; index < word.length; index++) {
      if (this.#codeAt(this.#at + index) !== word.charCodeAt(index)) throw this.unexpected("a value");
    }
    this.#at += word.length;
    return value;
  }

  /** Checks that only white space is left. */
  end(): void {
    if (this.next() !== end) throw this.unexpected("nothing more");
  }

  /** The position in the document, in bytes. */
  get position(): number {
    return this.#offset + this.bytesTo(this.#at);
  }

  /** An error at the current position. */
  fault(problem: string): JsonError {
    return new JsonError(problem, this.position);
  }

  /** The error for any other token than the one expected. */
  unexpected(wanted: string, at = this.#at): Error {
    const isCut = at >= this.#text.length;
    if (isCut && !this.#isAll) return moreNeeded;
    return new JsonError(
      isCut ? `the text ends, wanted ${wanted}` : `wanted ${wanted}`,
      this.#offset + this.bytesTo(at),
    );
  }

  #codeAt(at: number): number {
    if (at < this.#text.length) return this.#text.charCodeAt(at);
    if (!this.#isAll) throw moreNeeded;
    return end;
  }
}
