import { minorDigits } from "./currency.ts";
import type { Decimal } from "./decimal.ts";

/**
 * An amount for people, `4,500,000.00`: with the decimals of its currency, or as it came if further ones aren't zeros.
 * Never rounded. Without the currency's name.
 */
export function formatMoney(amount: Decimal, currency: string | undefined): string {
  return amount.grouped(minorDigits(currency));
}
