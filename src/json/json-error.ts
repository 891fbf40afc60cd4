/**
 * A text that is not JSON, or is more of it than we take. It says where and what was wanted, and never quotes the
 * text: bodies hold names, accounts and sometimes secrets, and this message ends up in logs.
 */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  /** How much stands before the place: characters of a text, bytes of a body. */
  readonly position: number;

  constructor(problem: string, position: number) {
    super(`Not the JSON we take, at position ${position}: ${problem}.`);
    this.position = position;
  }
}

/** An object says one thing twice: which of the two counts is anybody's guess. */
export class RepeatedName extends JsonError {
  override readonly name = "RepeatedName";

  constructor(position: number) {
    super("an object names a member twice", position);
  }
}
