import { minorDigits } from "./currency.ts";
import type { Decimal } from "./decimal.ts";

/**
 * An amount as people read it, `4,500,000.00`: with the decimals of its currency, or as it came where more of them
 * aren't zeros. Never rounded. The currency's name is not part of it.
 */
export function formatMoney(amount: Decimal, currency: string | undefined): string {
  return amount.grouped(minorDigits(currency));
}
