/**
 * A number as it stands in a JSON text: its digits, never a double. `4500000.00` keeps its zeros and
 * `12345678901234567.10` its last digits until someone says what the number is (a `Decimal`, a count, an id).
 * `JSON.stringify` writes the same digits back.
 */
export class Numeral {
  /** The digits exactly as they stood on the wire; always a valid JSON number. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** A count of our own, which is small enough to be a double. */
  static of(count: number): Numeral {
    return new Numeral(String(count));
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** A JSON value whose numbers are still text. Objects have own, enumerable properties only, in the wire's order. */
export type JsonValue = string | boolean | null | Numeral | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

/** True for a JSON object: not null, not an array, not a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Numeral);
}
