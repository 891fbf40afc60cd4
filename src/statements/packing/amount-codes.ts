import { Decimal } from "../../values/money/decimal.ts";

/** Digits after the point of an amount that is a whole number of hundredths. */
const codeScale = 2;
/** Up to this many hundredths an amount is its own code; a sum of two of them is exact, too. */
const codeMax = 2 ** 50;
/** By digits after the point. */
const hundredthsPer = [100, 10, 1] as const;

/**
 * Exact amounts as single numbers, equal where the amounts are: whole hundredths as they are; all others (more digits
 * after the point, or very large) as their number plus one half. Never rounded. The number of digits that an amount was
 * written with is kept separately, as its scale.
 */
export class AmountCodes {
  readonly #others: Decimal[] = [];
  readonly #numbers = new Map<string, number>();

  codeOf(amount: Decimal): number {
    if (amount.scale <= codeScale) {
      const code = Number(amount.shortUnits) * (hundredthsPer[amount.scale] ?? 1);
      if (Math.abs(code) <= codeMax) return code;
    }
    return this.#codeOfOther(withoutZeros(amount));
  }

  /** The amount, with `scale` digits after the point, or more where it needs them. */
  amountOf(code: number, scale: number): Decimal {
    if (!Number.isInteger(code)) return widened(this.#others[code - 0.5] ?? Decimal.zero, scale);
    const factor = scale <= codeScale ? (hundredthsPer[scale] ?? 1) : 1;
    if (code % factor === 0 && scale <= codeScale) return new Decimal(code / factor, scale);
    return widened(new Decimal(code, codeScale), scale);
  }

  /** The amount as text: what `amountOf` would write, but faster for usual amounts. */
  textOf(code: number, scale: number): string {
    if (!Number.isInteger(code) || scale > codeScale) return this.amountOf(code, scale).toString();
    const hundredths = Math.abs(code);
    const cents = hundredths % 100;
    if (scale === 0 ? cents !== 0 : scale === 1 && cents % 10 !== 0) return this.textOf(code, codeScale);
    const whole = `${code < 0 ? "-" : ""}${(hundredths - cents) / 100}`;
    if (scale === 0) return whole;
    return scale === 1 ? `${whole}.${cents / 10}` : `${whole}.${cents < 10 ? "0" : ""}${cents}`;
  }

  sumOf(one: number, other: number): number {
    const sum = one + other;
    if (Number.isInteger(one) && Number.isInteger(other) && Math.abs(sum) <= codeMax) return sum;
    return this.codeOf(this.amountOf(one, 0).add(this.amountOf(other, 0)));
  }

  negative(code: number): number {
    if (Number.isInteger(code)) return code === 0 ? 0 : -code;
    return this.codeOf(this.amountOf(code, 0).negate());
  }

  compare(one: number, other: number): number {
    if (Number.isInteger(one) && Number.isInteger(other)) return one - other;
    return this.amountOf(one, 0).compare(this.amountOf(other, 0));
  }

  #codeOfOther(amount: Decimal): number {
    if (amount.scale <= codeScale) {
      const code = Number(amount.shortUnits) * (hundredthsPer[amount.scale] ?? 1);
      if (Math.abs(code) <= codeMax) return code;
    }
    const text = amount.toString();
    const number = this.#numbers.get(text) ?? this.#others.push(amount) - 1;
    this.#numbers.set(text, number);
    return number + 0.5;
  }
}

/** Sums of codes, exact whatever their number. */
export class ExactSum {
  readonly #codes: AmountCodes;
  #total = Decimal.zero;
  #hundredths = 0;
  #scale = 0;

  constructor(codes: AmountCodes) {
    this.#codes = codes;
  }

  add(code: number, scale: number): void {
    if (scale > this.#scale) this.#scale = scale;
    if (!Number.isInteger(code)) {
      this.#total = this.#total.add(this.#codes.amountOf(code, 0));
      return;
    }
    this.#hundredths += code;
    if (Math.abs(this.#hundredths) > codeMax) this.#carry();
  }

  /** With as many digits as the part with the most. */
  get value(): Decimal {
    this.#carry();
    const sum = withoutZeros(this.#total);
    return widened(sum, this.#scale);
  }

  #carry(): void {
    this.#total = this.#total.add(new Decimal(BigInt(this.#hundredths), codeScale));
    this.#hundredths = 0;
  }
}

/** The same number with as few digits after the point as it needs. */
function withoutZeros({ units, scale }: Decimal): Decimal {
  let [left, digits] = [units, scale];
  while (digits > 0 && left % 10n === 0n) [left, digits] = [left / 10n, digits - 1];
  return new Decimal(left, digits);
}

function widened(amount: Decimal, scale: number): Decimal {
  return scale > amount.scale ? amount.add(new Decimal(0n, scale)) : amount;
}
