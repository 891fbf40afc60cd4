import { markProblem } from "../../../values/money/amount-marks.ts";
import { quote } from "../../../values/text/text.ts";
import type { CellKind } from "../columns.ts";

const digits: ReadonlySet<CellKind> = new Set(["reference", "account", "phone"]);
const numbers: ReadonlySet<CellKind> = new Set(["amount", "whole", "rate"]);

const shortened = /^\d(?:[.,]\d+)?E\+?\d+$/i;
const failed = /^#(?:REF!|N\/A|VALUE!|NAME\?|NUM!|DIV\/0!|NULL!|#+$|\+*$)/;
/** A rate can have three decimals. */
const plain = /^\d+\.\d+$/;
const decimalComma = /^\d+,\d+$/;
const hardSpace = /[\u00a0\u2007\u202f]/;
const withLetterO = /^(?=\d*[Oo])\d[\dOo]*$/;
const withCurrency = /^[A-Z]{3}\s?\d|\d\s?(?:[A-Z]{3}|\/=)$/;
const ourDay = /^\d{4}-\d\d-\d\d$/;
const slashedDay = /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:\s.*)?$/;
const dayNumber = /^\d{5}(?:[.,]\d+)?$/;

/**
 * What a spreadsheet did to a cell on its way to us, in words that follow the column's name; undefined where nothing
 * can be seen. Nothing is corrected by guessing: `1,000` is a thousand or one, `03/04/2026` March or April.
 */
export function artefactIn(text: string, kind: CellKind): string | undefined {
  if (failed.test(text)) return `${quote(text)} is a spreadsheet's error, not a value`;
  if (text.startsWith("=")) return `${quote(text)} is a formula; save its value`;
  if (kind !== "text" && text.startsWith("'")) return `${quote(text)} begins with an apostrophe; leave it out`;
  if (kind !== "text" && hardSpace.test(text)) return `${quote(text)} has a non-breaking space in it`;
  if (kind !== "text" && text.trim() !== text) return `${quote(text)} has white space around it`;
  if ((digits.has(kind) || numbers.has(kind)) && shortened.test(text))
    return `${quote(text)} is a number that a spreadsheet shortened; format the column as text and enter it again`;
  if (numbers.has(kind)) return damageOfAmount(text, kind);
  return kind === "day" ? damageOfDay(text) : undefined;
}

function damageOfAmount(text: string, kind: CellKind): string | undefined {
  const marked = kind === "rate" && plain.test(text) ? undefined : markProblem(text);
  if (marked !== undefined) return `${quote(text)} ${marked}`;
  if (decimalComma.test(text)) return `${quote(text)} has a comma; decimals follow a point`;
  if (withLetterO.test(text)) return `${quote(text)} has the letter O in it; write the digit 0`;
  if (withCurrency.test(text)) return `${quote(text)} has a currency in it; write the digits alone`;
  return text.startsWith("-") || text.startsWith("(") ? `${quote(text)} is negative` : undefined;
}

function damageOfDay(text: string): string | undefined {
  if (slashedDay.test(text) && !ourDay.test(text))
    return `${quote(text)} is a day as a spreadsheet writes it; write it like 2026-10-31`;
  return dayNumber.test(text)
    ? `${quote(text)} is a spreadsheet's number of a day; write it like 2026-10-31`
    : undefined;
}
