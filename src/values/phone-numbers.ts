import { findMsisdn } from "./msisdn.ts";

/** Digits, with what people write between them. */
const phoneInText = /\+?\d[\d ().-]{7,18}\d/g;
const separators = /[\s().-]/g;
/** The fewest digits of a number, however it is written. */
export const phoneMinDigits = 9;

/** The phone numbers in a text, each as `phoneNumberOf` gives it. */
export function phoneNumbersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(phoneInText)].flatMap(([number]) => phoneNumberOf(number) ?? []));
}

/** `255712345678`, however it is written; Kenyan numbers need their country code. */
export function phoneNumberOf(text: string): string | undefined {
  const digits = text.replaceAll(separators, "").replace(/^\+?2550/, "255");
  const kenyan = /^(?:\+|00)?(254\d{9})$/.exec(digits)?.[1];
  return kenyan ?? findMsisdn(digits);
}
