import type { JsonObject, JsonValue } from "../values/json.ts";
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  lowerF,
  lowerN,
  lowerT,
  openBrace,
  openBracket,
  quote,
} from "./characters.ts";
import type { JsonError } from "./json-error.ts";
import { RepeatedName } from "./json-error.ts";
import { JsonForms } from "./forms.ts";
import { type JsonText, JsonTokens } from "./tokens.ts";
import { setMember } from "./member.ts";

/** How deep arrays and objects may be nested: far deeper than any body needs, far less than the stack allows. */
export const depthMax = 512;

/**
 * Reads JSON values, exactly those that `JSON.parse` accepts. It can also go through an array or object step by step,
 * for those that are too long for the memory, with the same grammar.
 */
export class JsonReader {
  readonly #tokens = new JsonTokens();
  readonly #forms = new JsonForms();
  readonly #namesOnce: boolean;

  /** @param options `namesOnce`: a repeated member is an error; otherwise, the last one counts */
  constructor({ namesOnce = false }: { readonly namesOnce?: boolean } = {}) {
    this.#namesOnce = namesOnce;
  }

  /** Starts reading a text. */
  load(text: JsonText): void {
    this.#tokens.load(text);
  }

  /** How many characters have been read. It can be set back to the end of an earlier value. */
  get at(): number {
    return this.#tokens.at;
  }

  set at(at: number) {
    this.#tokens.at = at;
  }

  /** How many bytes of UTF-8 that is. */
  get bytesRead(): number {
    return this.#tokens.bytesTo(this.at);
  }

  /** True if more than `bytes` were read since the position `from`. */
  isFurtherThan(bytes: number, from: number): boolean {
    // A UTF-16 unit has at most three bytes.
    return (this.at - from) * 3 > bytes && this.bytesRead - this.#tokens.bytesTo(from) > bytes;
  }

  /** An error at the current position. */
  fault(problem: string): JsonError {
    return this.#tokens.fault(problem);
  }

  isAtArray(): boolean {
    return this.#tokens.next() === openBracket;
  }

  isAtObject(): boolean {
    return this.#tokens.next() === openBrace;
  }

  /** Reads the next value, with `depth` arrays and objects open around it. */
  value(depth: number): JsonValue {
    switch (this.#tokens.next()) {
      case quote:
        return this.#tokens.string();
      case openBrace:
        return this.#object(depth);
      case openBracket:
        return this.#array(depth);
      case lowerT:
        return this.#tokens.word("true", true);
      case lowerF:
        return this.#tokens.word("false", false);
      case lowerN:
        return this.#tokens.word("null", null);
      default:
        return this.#tokens.number();
    }
  }

  /** Enters the array or object that begins here; `item` or `member` then read its content. */
  enter(depth: number): void {
    if (depth >= depthMax) throw this.fault(`more than ${depthMax} arrays and objects inside each other`);
    this.#tokens.at++;
  }

  /** Moves to the next value of an array; false where the array ends instead. */
  item(isFirst: boolean): boolean {
    const code = this.#tokens.next();
    if (code === closeBracket) {
      this.#tokens.at++;
      return false;
    }
    if (isFirst) return true;
    if (code !== comma) throw this.#tokens.unexpected("a comma or the array's end");
    this.#tokens.at++;
    return true;
  }

  /** Moves to the value of an object's next member, and returns its name; undefined where the object ends instead. */
  member(isFirst: boolean): string | undefined {
    let code = this.#tokens.next();
    if (code === closeBrace) {
      this.#tokens.at++;
      return undefined;
    }
    if (!isFirst) {
      if (code !== comma) throw this.#tokens.unexpected("a comma or the object's end");
      this.#tokens.at++;
      code = this.#tokens.next();
    }
    if (code !== quote) throw this.#tokens.unexpected("a name in quotes");
    return this.#name();
  }

  /** Checks that only white space is left. */
  end(): void {
    this.#tokens.end();
  }

  #object(depth: number): JsonObject {
    const known = depth < depthMax ? this.#forms.read(this.#tokens) : undefined;
    if (known !== undefined) return known;
    const object: JsonObject = {};
    this.enter(depth);
    for (let name = this.member(true); name !== undefined; name = this.member(false)) {
      if (this.#namesOnce && Object.hasOwn(object, name)) throw new RepeatedName(this.#tokens.position);
      setMember(object, name, this.value(depth + 1));
    }
    this.#forms.learn(object);
    return object;
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.enter(depth);
    for (let more = this.item(true); more; more = this.item(false)) items.push(this.value(depth + 1));
    return items;
  }

  #name(): string {
    const name = this.#tokens.string();
    if (this.#tokens.next() !== colon) throw this.#tokens.unexpected("a colon");
    this.#tokens.at++;
    return name;
  }
}
