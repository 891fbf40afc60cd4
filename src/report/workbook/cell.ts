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

/**
 * The value of a cell: text (ids, too: nothing is guessed from how it looks), a count, an amount, a day, a moment, or
 * nothing.
 */
export type WorkbookCell = string | number | Decimal | Day | Moment | Formula | undefined;

/** Excel keeps so many digits of a number; a number with more is written as text, since it would change. */
export const numberMaxDigits = 15;
/** Digits after the point in the usual format of an amount. */
const usualScale = 2;
/** What Excel takes in one cell. */
const textMaxChars = 32_767;
/** From 1970-01-01 to the day that spreadsheets call 1: 1900-01-01 and one that never was, 1900-02-29. */
const serialOf1970 = 25_569;
/** 1900-03-01: days before it have different numbers in different programs, and are written as text. */
const firstSerial = 61;
const secondsPerDay = 86_400;

/** The cell's XML; nothing for an empty one. `place` is the likes of `B7`. */
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

/** Text as a cell of that style; longer than a cell can hold, it is cut and says so with `…`. */
export function textXml(text: string, place: string, style: number): string {
  const held = text.length > textMaxChars ? `${text.slice(0, textMaxChars - 1)}…` : text;
  const isSpaced = held.trim().length < held.length || held.includes("\n") || held.includes("\t");
  const space = isSpaced ? ' xml:space="preserve"' : "";
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escapeXml(held)}</t></is></c>`;
}

function numberXml(digits: string, place: string, style: number): string {
  return `<c r="${place}" s="${style}"><v>${digits}</v></c>`;
}

/** True where a spreadsheet's number holds the amount to its last digit. */
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

/** The style that shows so many digits after the point. */
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
/** What XML cannot hold, and what already looks like the escape that workbooks have for it: `_x0007_`. */
const unheld = /[\u0000-\u0008\u000b-\u001f\p{Cs}\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const maybeUnheld = /[^\t\n -~\u0080-\ud7ff]|_x/;

/** Text for XML, attributes included. Characters that XML has no place for are written in the workbooks' own way. */
export function escapeXml(text: string): string {
  if (!beyondPlain.test(text)) return text;
  const held = maybeUnheld.test(text)
    ? text.replaceAll(unheld, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    : text;
  return held.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
