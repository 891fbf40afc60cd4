/**
 * The most digits of a number, in total and after the point, with its exponent expanded. This keeps `1e999999999` from
 * filling the memory; a longer text isn't a valid amount, and is shown unchanged.
 */
export const decimalMaxDigits = 100;

const plainNumber = /^-?\d+(?:\.\d+)?$/;
const jsonNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Every integer of 15 digits is exact as a double. */
const shortMaxChars = 15;
const minusCode = 45;
const zeroCode = 48;
const pointCode = 46;
const powersOfTen = Array.from({ length: decimalMaxDigits + 1 }, (_, exponent) => 10n ** BigInt(exponent));
/** Powers that are exact as doubles, with room for a factor. */
const shortPowersOfTen = Array.from({ length: shortMaxChars }, (_, exponent) => 10 ** exponent);

/** Never a bigint where a number is exact: equal units have the same type. */
type Units = number | bigint;

/**
 * An exact decimal number: whole units, and how many of their digits are after the point. It never rounds: units are
 * doubles only while those are exact, in a tenth of BigInt's time. The scale is kept: `4500000.00` stays so, and a sum
 * has the largest scale of its parts. Two equal decimals (`compare`) can be written differently.
 */
export class Decimal {
  static readonly zero = new Decimal(0, 0);

  readonly scale: number;
  /** A number where the units are exact as one. */
  readonly shortUnits: Units;

  /** @param units whole: a number only where it is a safe integer */
  constructor(units: Units, scale: number) {
    this.shortUnits = typeof units === "bigint" ? shortest(units) : units;
    this.scale = scale;
  }

  get units(): bigint {
    return BigInt(this.shortUnits);
  }

  /**
   * Reads `-?digits[.digits]` and nothing else: no spaces, plus signs, separators, exponents or other scripts' digits.
   */
  static parse(text: string): Decimal | undefined {
    const short = parseShort(text);
    if (short !== undefined) return short;
    if (text.length > 2 * decimalMaxDigits + 2 || !plainNumber.test(text)) return undefined;
    return withinLimits(text.replace(".", ""), scaleOf(text));
  }

  /** Reads the text of a JSON number, exponent included: `1.5e3` is 1500, `25e-1` is 2.5. */
  static parseJson(text: string): Decimal | undefined {
    const plain = Decimal.parse(text);
    if (plain !== undefined || text.length > 2 * decimalMaxDigits + 16) return plain;
    const [, sign, whole, fraction = "", exponent = "0"] = jsonNumber.exec(text) ?? [];
    if (sign === undefined || whole === undefined) return undefined;
    const scale = fraction.length - Number(exponent);
    if (Math.abs(scale) > decimalMaxDigits) return undefined;
    return withinLimits(sign + whole + fraction + "0".repeat(Math.max(0, -scale)), Math.max(0, scale));
  }

  /** The sum, with the larger scale. Cheap enough to add up a million rows one by one. */
  add(other: Decimal): Decimal {
    if (other.#addsNothingTo(this)) return this;
    if (this.#addsNothingTo(other)) return other;
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(sumOf(this.#unitsAt(scale), other.#unitsAt(scale)), scale);
  }

  subtract(other: Decimal): Decimal {
    return other.#addsNothingTo(this) ? this : this.add(other.negate());
  }

  negate(): Decimal {
    return new Decimal(typeof this.shortUnits === "number" ? 0 - this.shortUnits : -this.shortUnits, this.scale);
  }

  abs(): Decimal {
    return this.shortUnits < 0 ? this.negate() : this;
  }

  /** -1, 0 or 1, as for `sort`. Compares values: 1.0 and 1.00 are equal. */
  compare(other: Decimal): -1 | 0 | 1 {
    const scale = Math.max(this.scale, other.scale);
    const mine = this.#unitsAt(scale);
    const theirs = other.#unitsAt(scale);
    return mine < theirs ? -1 : mine > theirs ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  get sign(): -1 | 0 | 1 {
    return this.shortUnits < 0 ? -1 : this.shortUnits > 0 ? 1 : 0;
  }

  get isZero(): boolean {
    return this.shortUnits === 0;
  }

  /** True where all digits beyond that many decimals are zeros. */
  fits(decimals: number): boolean {
    return this.#trimmedTo(decimals).scale <= decimals;
  }

  /** Plain digits with at least `minScale` after the point, for files and machines: `4500000.00`. */
  padded(minScale: number): string {
    const scale = Math.max(this.scale, minScale);
    const digits = this.abs()
      .#unitsAt(scale)
      .toString()
      .padStart(scale + 1, "0");
    const point = digits.length - scale;
    return (this.shortUnits < 0 ? "-" : "") + digits.slice(0, point) + (scale > 0 ? `.${digits.slice(point)}` : "");
  }

  /** The same text for equal amounts, with at least so many digits after the point: `5` for 5.00, or `5.00` for 5. */
  trimmed(minScale = 0): string {
    return this.#trimmedTo(minScale).padded(minScale);
  }

  /**
   * Digits for people, in groups of three: `4,500,000.00`. With `minScale` decimals, or as it came if further ones
   * aren't zeros.
   */
  grouped(minScale: number): string {
    const shown = this.fits(minScale) ? this.#trimmedTo(minScale) : this;
    const [whole = "", fraction] = shown.abs().padded(minScale).split(".");
    const groups = (this.shortUnits < 0 ? "-" : "") + groupDigits(whole);
    return fraction === undefined ? groups : `${groups}.${fraction}`;
  }

  toString(): string {
    return this.padded(0);
  }

  /** In JSON an amount is a number with all of its digits. */
  toJSON(): unknown {
    return JSON.rawJSON(this.toString());
  }

  /** True for a zero that doesn't add decimals: half of a statement's amounts are zero. */
  #addsNothingTo(other: Decimal): boolean {
    return this.scale <= other.scale && this.shortUnits === 0;
  }

  /** Without trailing zeros, down to that scale. */
  #trimmedTo(minScale: number): Decimal {
    let { shortUnits: units, scale } = this;
    if (scale <= minScale) return this;
    for (; scale > minScale && endsInZero(units); scale -= 1)
      units = typeof units === "number" ? units / 10 : units / 10n;
    return new Decimal(units, scale);
  }

  #unitsAt(scale: number): Units {
    if (scale === this.scale) return this.shortUnits;
    const more = scale - this.scale;
    const short =
      typeof this.shortUnits === "number" ? this.shortUnits * (shortPowersOfTen[more] ?? Number.NaN) : Number.NaN;
    return Number.isSafeInteger(short) ? short : BigInt(this.shortUnits) * tenTo(more);
  }
}

/** Digits in groups of three, counted from their end: `4,500,000`. */
export function groupDigits(digits: string): string {
  const first = digits.length % 3;
  let grouped = digits.slice(0, first);
  for (let at = first; at < digits.length; at += 3) grouped += (at === 0 ? "" : ",") + digits.slice(at, at + 3);
  return grouped;
}

/**
 * Groups an amount while it is typed, decimals included: `1500000` is shown as `1,500,000`. Other texts are unchanged.
 */
export function groupedWhileTyped(typed: string): string {
  const [, whole, decimals = ""] = /^(\d+)(\.\d*)?$/.exec(typed) ?? [];
  return whole === undefined ? typed : groupDigits(whole) + decimals;
}

function endsInZero(units: Units): boolean {
  return typeof units === "number" ? units % 10 === 0 : units % 10n === 0n;
}

function sumOf(one: Units, other: Units): Units {
  const short = typeof one === "number" && typeof other === "number" ? one + other : Number.NaN;
  return Number.isSafeInteger(short) ? short : BigInt(one) + BigInt(other);
}

function shortest(units: bigint): Units {
  const short = Number(units);
  return Number.isSafeInteger(short) ? short : units;
}

/** Zeros by scale, up to that of the longest short text: half of a statement's amounts are zero. */
const zeros = Array.from({ length: shortMaxChars }, (_, scale) => new Decimal(0, scale));

/** Reads a short plain number; undefined when it is neither. */
function parseShort(text: string): Decimal | undefined {
  const length = text.length;
  if (length > shortMaxChars) return undefined;
  const first = text.charCodeAt(0) === minusCode ? 1 : 0;
  let units = 0;
  let point = -1;
  for (let index = first; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code >= zeroCode && code <= zeroCode + 9) units = units * 10 + code - zeroCode;
    else if (code === pointCode && point < 0) point = index;
    else return undefined;
  }
  if (length === first || point === first || point === length - 1) return undefined;
  const scale = point < 0 ? 0 : length - point - 1;
  return units === 0 ? zeros[scale] : new Decimal(first === 1 ? 0 - units : units, scale);
}

/** How many digits of a plain number are after its point. */
function scaleOf(text: string): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point - 1;
}

function withinLimits(digits: string, scale: number): Decimal | undefined {
  const units = BigInt(digits);
  const limit = tenTo(decimalMaxDigits);
  return scale > decimalMaxDigits || units >= limit || units <= -limit ? undefined : new Decimal(units, scale);
}

function tenTo(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}
