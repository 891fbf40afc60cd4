import { decimalsProblem } from "./amount-marks.ts";
import { isCurrency } from "./currency.ts";
import { Decimal } from "./decimal.ts";

/** The largest sums that may be sent, by currency. */
export type Limits = ReadonlyMap<string, Decimal>;

/** The currency of a limit without one, and of amounts whose currency is not known. */
export const homeCurrency = "TZS";

const limitForm = /^(?:([A-Za-z]{3})=)?((?:0|[1-9]\d*)(?:\.\d+)?)$/;
const example = `amounts with commas between them, such as 5000000 (in ${homeCurrency}) or 5000000,USD=500`;

/**
 * Reads `5000000,USD=500`: an amount in TZS, and others with their currencies.
 * @returns the limits, or the error in words that follow its name
 */
export function readLimits(text: string): Limits | string {
  const limits = new Map<string, Decimal>();
  for (const part of text.split(",")) {
    const [, currency = homeCurrency, digits = ""] = limitForm.exec(part) ?? [];
    const amount = Decimal.parse(digits);
    if (amount === undefined) return `must be ${example}: digits, a point before decimals, no separators`;
    if (!isCurrency(currency)) return `names an unknown currency: write ${example}`;
    if (limits.has(currency)) return `has two limits in ${currency}: write ${example}, without separators`;
    limits.set(currency, amount);
  }
  return limits;
}

/**
 * Why limits that a person types are ambiguous, in words that follow their name; undefined where they are clear. Stored
 * limits are not checked by it.
 */
export function unclearLimits(text: string): string | undefined {
  for (const part of text.split(",")) {
    const [, currency = homeCurrency, digits = ""] = limitForm.exec(part) ?? [];
    const problem = decimalsProblem(digits, currency);
    if (problem !== undefined) return `has an amount that ${problem}: write ${example}`;
  }
  return undefined;
}

/** True where limits are in other currencies than TZS, too: then the currency of a wallet matters. */
export function nameCurrencies(limits: Limits | undefined): boolean {
  return limits !== undefined && [...limits.keys()].some((currency) => currency !== homeCurrency);
}
