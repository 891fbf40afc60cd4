import { Decimal } from "../values/money/decimal.ts";

/** Digits after the decimal point of a percentage. */
const shareScale = 2;

/**
 * A part as a percentage of the whole, with two decimals, halves rounded away from zero; null where the whole is zero.
 */
export function percentOf(part: Decimal, whole: Decimal): Decimal | null {
  if (whole.isZero) return null;
  const top = part.units * 10n ** BigInt(whole.scale + 2 + shareScale);
  const bottom = whole.units * 10n ** BigInt(part.scale);
  const isBelow = top < 0n !== bottom < 0n;
  const [above, below] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
  const rounded = (above * 2n + below) / (below * 2n);
  return new Decimal(isBelow ? -rounded : rounded, shareScale);
}
