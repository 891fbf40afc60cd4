import { findMsisdn } from "./msisdn.ts";

/** Digits, with what people write between them. */
const digitsInText = /\+?\d(?:[\d ().-]*\d)?/g;
const separators = /[\s().-]+/g;
/** Groups of digits are joined to one number if they begin like this, or if there are no others beside them. */
const prefix = /^(?:\+|0|25[45])/;
/** The fewest digits of a number, however it is written. */
export const phoneMinDigits = 9;
/** `00255712345678`; `+2550712345678`. */
const phoneMaxChars = 14;

/** The phone numbers in a text, each as `phoneNumberOf` gives it, in their order. */
export function phoneNumbersIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(digitsInText)) {
    if (run.length < phoneMinDigits) continue;
    const whole = phoneNumberOf(run);
    if (whole !== undefined) found.add(whole);
    else for (const number of numbersAmong(run.split(separators))) found.add(number);
  }
  return found;
}

/** The numbers among groups of digits: an invoice or a day may stand before one. */
function* numbersAmong(groups: readonly string[]): Generator<string> {
  for (let first = 0; first < groups.length; first += 1) {
    let digits = "";
    for (let last = first; last < groups.length && digits.length < phoneMaxChars; last += 1) {
      digits += groups[last] ?? "";
      const number = last === first || prefix.test(digits) ? phoneNumberOf(digits) : undefined;
      if (number === undefined) continue;
      yield number;
      first = last;
      break;
    }
  }
}

/** `255712345678`, however it is written; Kenyan numbers need their country code. */
export function phoneNumberOf(text: string): string | undefined {
  const digits = text.replaceAll(separators, "").replace(/^\+?2550/, "255");
  const kenyan = /^(?:\+|00)?(254\d{9})$/.exec(digits)?.[1];
  return kenyan ?? findMsisdn(digits);
}
