import { Day } from "../../values/time/day.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import type { Moment } from "../../values/time/wall-time.ts";
import { cellStyles } from "./styles.ts";

/** A formula with its current result. It refers to cells only, and never contains text from outside. */
export class Formula {
  readonly text: string;
  readonly value: Decimal;
  readonly style: number;

  constructor(text: string, value: Decimal, style: number = styleOf(value)) {
    this.text = text;
    this.value = value;
    this.style = style;
  }
}

/** The value of a cell: text (also for ids: no type is guessed), a count, an amount, a day, a moment, or nothing. */
export type WorkbookCell = string | number | Decimal | Day | Moment | Formula | undefined;

/** Excel keeps this many digits of a number; one with more is written as text, since Excel would change it. */
export const numberMaxDigits = 15;
/** Digits after the point in the usual format of an amount. */
const usualScale = 2;
/** The longest text that Excel accepts in a cell. */
const textMaxChars = 32_767;
/**
 * The serial number of 1970-01-01 in spreadsheets, where 1900-01-01 is 1, and 1900-02-29 counts although it never was.
 */
const serialOf1970 = 25_569;
/** 1900-03-01: days before it have different numbers in different programs, and are written as text. */
const firstSerial = 61;
const secondsPerDay = 86_400;

/** The cell's XML; empty for an empty cell. `place` is such as `B7`. */
export function cellXml(cell: WorkbookCell, place: string): string {
  if (cell === undefined || cell === "") return "";
  if (typeof cell === "string") return textXml(cell, place, cellStyles.text);
  if (typeof cell === "number") return numberXml(String(cell), place, cellStyles.count);
  if (cell instanceof Decimal) return amountXml(cell, place);
  if (cell instanceof Formula)
    return `<c r="${place}" s="${cell.style}"><f>${escapeXml(cell.text)}</f><v>${cell.value.toString()}</v></c>`;
  if (cell instanceof Day) return dateXml(cell, place);
  return dateXml(cell.day, place, cell.seconds);
}

/** A text cell with that style; a text longer than a cell allows is cut with `…`. */
export function textXml(text: string, place: string, style: number): string {
  const held = text.length > textMaxChars ? `${text.slice(0, textMaxChars - 1)}…` : text;
  const isSpaced = held.trim().length < held.length || held.includes("\n") || held.includes("\t");
  const space = isSpaced ? ' xml:space="preserve"' : "";
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escapeXml(held)}</t></is></c>`;
}

function numberXml(digits: string, place: string, style: number): string {
  return `<c r="${place}" s="${style}"><v>${digits}</v></c>`;
}

/** True where a spreadsheet's number can represent the amount exactly. */
export function isNumber(amount: Decimal): boolean {
  const digits = amount.toString();
  if (digits.length <= numberMaxDigits) return true;
  const plain = digits.replace("-", "").replace(".", "").replace(/^0+/, "");
  return withoutEnding(plain, "0").length <= numberMaxDigits;
}

function amountXml(amount: Decimal, place: string): string {
  const digits = amount.toString();
  if (digits.length <= numberMaxDigits && amount.scale <= usualScale)
    return numberXml(digits, place, cellStyles.amount);
  if (!isNumber(amount)) return textXml(amount.padded(usualScale), place, cellStyles.exact);
  return numberXml(digits, place, styleOf(amount));
}

function styleOf(amount: Decimal): number {
  const [, fraction = ""] = amount.toString().split(".");
  return amountStyle(withoutEnding(fraction, "0").length);
}

/** The style that shows this many digits after the decimal point. */
export function amountStyle(digits: number): number {
  return digits > usualScale ? cellStyles.fineAmount : cellStyles.amount;
}

function dateXml(day: Day, place: string, seconds?: number): string {
  const serial = day.serial + serialOf1970;
  if (serial < firstSerial) return textXml(day.toString(), place, cellStyles.text);
  return seconds === undefined
    ? numberXml(String(serial), place, cellStyles.day)
    : numberXml(String(serial + seconds / secondsPerDay), place, cellStyles.moment);
}

const beyondPlain = /[^ !#-%'-;=?-^`-~]/;
/** Characters that XML can't contain, and text that already looks like a workbook's escape for them: `_x0007_`. */
const unheld = /[\u0000-\u0008\u000b-\u001f\p{Cs}\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const maybeUnheld = /[^\t\n -~\u0080-\ud7ff]|_x/;

/** Escapes text for XML, attributes included. Characters that XML can't contain get a workbook's own escape. */
export function escapeXml(text: string): string {
  if (!beyondPlain.test(text)) return text;
  const held = maybeUnheld.test(text)
    ? text.replaceAll(unheld, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    : text;
  return held.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
