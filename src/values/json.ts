/**
 * A number in a JSON text: its digits, never a double. `4500000.00` keeps its zeros and `12345678901234567.10` its last
 * digits, until the caller converts it (to a `Decimal`, a count, an id). `JSON.stringify` writes the same digits back.
 */
export class Numeral {
  /** The exact digits of the wire; always a valid JSON number. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** A count of our own, small enough for a double. */
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

/** A JSON value whose numbers are kept as text. Objects have only own, enumerable properties, in the wire's order. */
export type JsonValue = string | boolean | null | Numeral | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

/** True for a JSON object: not null, not an array, not a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Numeral);
}
