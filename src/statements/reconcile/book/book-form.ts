import type { DateFormat, DecimalMark } from "../../../values/book-writing.ts";
import { dateFormats } from "../../../values/book-writing.ts";
import { Day } from "../../../values/time/day.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { dayOfTimestamp } from "../../../values/time/wall-time.ts";

/** A cell of a book as its value, or what is wrong with it, in words that follow it. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

const scientific = /^-?\d(?:[.,]\d+)?[eE][+-]?\d+$/;
/** As spreadsheets write it; ids such as `1E5` are left alone. */
const longNumber = /^\d(?:[.,]\d+)?E\+\d+$/;
const grouped = /^-?\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/;
const damaged = "is what a spreadsheet makes of a long number";

/** Digits and a point (or the comma that was said), and nothing that could be read in two ways. */
export function readBookAmount(text: string, mark: DecimalMark): Read<Decimal> {
  if (text === "") return { problem: "is empty" };
  const plain = mark === "comma" ? withPoint(text) : text;
  const amount = Decimal.parse(plain);
  return amount === undefined ? { problem: amountProblem(text, mark) } : { value: amount };
}

/** With a comma for the decimals a point can only be a separator. */
function withPoint(text: string): string {
  return text.includes(".") ? "" : text.replace(",", ".");
}

function amountProblem(text: string, mark: DecimalMark): string {
  if (scientific.test(text)) return damaged;
  if (mark === "point" && /^-?\d+,\d{1,2}$/.test(text)) return "has a decimal comma: add --book-decimal comma";
  if (grouped.test(text)) return "has separators between its digits";
  return "is no amount";
}

/** The day, alone or at the start of a time of day. */
export function readBookDay(text: string, format: DateFormat): Read<number> {
  const day = format === "YYYY-MM-DD" ? Day.parse(dayOfTimestamp(text) ?? "") : otherDay(text, format);
  if (day !== undefined) return { value: day.serial };
  const meant = dateFormats.find((other) => other !== format && otherDay(text, other) !== undefined);
  const hint = meant === undefined ? "" : `; --book-date-format ${meant} would read it`;
  return { problem: text === "" ? "is empty" : `is no day in the form ${format}${hint}` };
}

function otherDay(text: string, format: DateFormat): Day | undefined {
  if (format === "YYYY-MM-DD") return Day.parse(text);
  const separator = format.charAt(2);
  const parts = text.split(separator);
  if (parts.length !== 3 || !parts.every((part) => /^\d+$/.test(part))) return undefined;
  const [first = "", second = "", year = ""] = parts;
  const [date, month] = format.startsWith("DD") ? [first, second] : [second, first];
  return Day.parse(`${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`);
}

/** 1 for credit, -1 for debit. */
export function readDirection(text: string): Read<1 | -1> {
  const word = text.toUpperCase();
  if (word === "CR" || word === "CREDIT") return { value: 1 };
  if (word === "DR" || word === "DEBIT") return { value: -1 };
  return { problem: text === "" ? "is empty" : "is none of CR, DR, CREDIT, DEBIT" };
}

/** A reference is kept to the letter; what a spreadsheet made of one is none any more. */
export function readBookReference(text: string): Read<string> {
  return text.includes("E+") && longNumber.test(text) ? { problem: damaged } : { value: text };
}
