import { findMsisdn } from "./msisdn.ts";

/** Digits with what people put between them. */
const phoneInText = /\+?\d[\d ().-]{7,18}\d/g;
const separators = /[\s().-]/g;
/** No spelling of a number has fewer. */
export const phoneMinDigits = 9;

/** The numbers in a text, each in the one form in which `phoneNumberOf` gives it. */
export function phoneNumbersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(phoneInText)].flatMap(([number]) => phoneNumberOf(number) ?? []));
}

/** `255712345678` for every way of writing it; Kenyan numbers with their country's digits. */
export function phoneNumberOf(text: string): string | undefined {
  const digits = text.replaceAll(separators, "").replace(/^\+?2550/, "255");
  const kenyan = /^(?:\+|00)?(254\d{9})$/.exec(digits)?.[1];
  return kenyan ?? findMsisdn(digits);
}
