/**
 * A text isn't JSON, or is larger than allowed. The message has the position and what was expected, and never quotes
 * the text: bodies contain names, accounts and sometimes secrets, and messages end up in logs.
 */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  /** The position in bytes of UTF-8 from the start of the document. */
  readonly position: number;

  constructor(problem: string, position: number) {
    super(`Not the JSON we take, at position ${position}: ${problem}.`);
    this.position = position;
  }
}

/** An object repeats a member: which one counts would be a guess. */
export class RepeatedName extends JsonError {
  override readonly name = "RepeatedName";

  constructor(position: number) {
    super("an object has a field twice", position);
  }
}
