/**
 * A text that isn't JSON, or is larger than allowed. It has the position and what was expected, and never quotes the
 * text: bodies contain names, accounts and sometimes secrets, and this message ends up in logs.
 */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  /** The position: characters of a text, bytes of a body. */
  readonly position: number;

  constructor(problem: string, position: number) {
    super(`Not the JSON we take, at position ${position}: ${problem}.`);
    this.position = position;
  }
}

/** An object repeats a member: which of the two counts would be a guess. */
export class RepeatedName extends JsonError {
  override readonly name = "RepeatedName";

  constructor(position: number) {
    super("an object names a member twice", position);
  }
}
