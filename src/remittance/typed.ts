import { groupedWhileTyped } from "../values/money/decimal.ts";
import { Failure } from "../values/failure.ts";
import { parseMsisdn } from "../values/msisdn.ts";
import type { RemittanceField } from "./fields.ts";

/**
 * A phone number in the service's form. One that can't be brought into it stays as it is, and is reported by the
 * checks.
 */
export function tidyPhone(text: string): string {
  try {
    return parseMsisdn(text, "phone");
  } catch (error) {
    if (error instanceof Failure) return text;
    throw error;
  }
}

/**
 * What a person typed into a form: without spaces around it, codes in capitals, phone numbers as the service has them.
 */
export function tidyTyped({ kind }: RemittanceField, typed: string): string {
  const text = typed.trim();
  if (kind === "country" || kind === "currency") return text.toUpperCase();
  return kind === "phone" ? tidyPhone(text) : text;
}

/** Formats a value while it is typed: as it will be read, and amounts in groups of three digits. */
export function formatTyped({ kind }: RemittanceField, typed: string): string {
  if (kind === "country" || kind === "currency") return typed.toUpperCase();
  return kind === "amount" ? groupedWhileTyped(typed) : typed;
}
