import { minorDigits } from "./currency.ts";
import { Decimal } from "./decimal.ts";

/** One mark with three digits after it: it may separate thousands or decimals. */
const eitherMark = /^(-?[1-9]\d{0,2})[.,](\d{3})$/;
/** Groups of three digits after one mark, and decimals after another one. */
const groupedForm = /^(-?[1-9]\d{0,2}([,.' \u00a0\u202f\u2009])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;
/** Groups of three digits after any marks. */
const separatedForm = /^-?[1-9]\d{0,2}(?:[,.' \u00a0\u202f\u2009]\d{3})+(?:[.,]\d+)?$/;
const marks = /[,.' \u00a0\u202f\u2009]/g;
const usualDecimals = 2;
const unclearMarks = "has separators that leave its value unclear; write digits, with a point before decimals";

/**
 * Both amounts that a text can mean, in words that follow it: `25.000` is twenty-five thousand to some, and twenty-five
 * to others. Undefined where only one reading is likely.
 */
export function ambiguity(text: string): string | undefined {
  const [, whole, behind] = eitherMark.exec(text) ?? [];
  return whole === undefined ? undefined : bothWays(`${whole}${behind}`, `${whole}.${behind}`);
}

/**
 * What is wrong with the marks between an amount's digits, in words that follow it: what to write instead, or both
 * amounts where either may be meant. Undefined where its digits aren't in groups.
 * @param isWhole true where decimals aren't taken, not even zeros
 */
export function markProblem(text: string, isWhole = false): string | undefined {
  const ambiguous = ambiguity(text);
  if (ambiguous !== undefined) return ambiguous;
  const [, groups, , decimals] = groupedForm.exec(text) ?? [];
  if (groups === undefined) return separatedForm.test(text) ? unclearMarks : undefined;
  const whole = groups.replaceAll(marks, "");
  if (decimals === undefined) return `has separators between its digits; write ${whole}`;
  const exact = `${whole}.${decimals}`;
  if (decimals.length === 3) return bothWays(whole + decimals, exact);
  const either = isWhole ? whole : `${whole} or ${exact}`;
  return `has separators between its digits; write ${/^0+$/.test(decimals) ? either : exact}`;
}

/**
 * What is wrong with the decimals of an amount in digits and a point, in words that follow it.
 * @param currency undefined where it isn't known: then two decimals
 */
export function decimalsProblem(text: string, currency?: string): string | undefined {
  const most = Math.max(usualDecimals, minorDigits(currency));
  const decimals = text.split(".")[1]?.length ?? 0;
  if (decimals <= most) return undefined;
  const unclear = ambiguity(text);
  if (unclear === undefined && Decimal.parse(text)?.fits(most) === true) return undefined;
  return unclear ?? `has ${decimals} decimals, and at most ${most} are allowed`;
}

function bothWays(whole: string, decimal: string): string {
  return `is ambiguous (${whole} or ${trimmed(decimal)}?)`;
}

function trimmed(text: string): string {
  return Decimal.parse(text)?.trimmed() ?? text;
}
