import type { DateFormat, DecimalMark, ThousandsMark } from "../../../values/book-writing.ts";
import { withPlainMarks } from "../../../values/book-writing.ts";
import { ambiguity } from "../../../values/money/amount-marks.ts";
import { Decimal } from "../../../values/money/decimal.ts";

/** A setting with which a cell would be read. */
export type BookSetting =
  | { readonly key: "decimal"; readonly value: DecimalMark }
  | { readonly key: "dateFormat"; readonly value: DateFormat };

/** A cell's value; or what is wrong with it, in words that follow it, and each setting with which it could be read. */
export type ReadCell<T> =
  | { readonly value: T }
  | { readonly problem: string; readonly settings?: readonly BookSetting[] | undefined };

/** An amount, and its thousands separator. */
export interface WrittenAmount {
  readonly amount: Decimal;
  readonly thousands: ThousandsMark | undefined;
  /** True where thousands could be separated and are not: `1000`. */
  readonly isRunTogether: boolean;
}

const scientific = /^-?\d(?:[.,]\d+)?[eE][+-]?\d+$/;
/** As spreadsheets write it; ids such as `1E5` are left alone. */
const longNumber = /^\d(?:[.,]\d+)?E\+\d+$/;
const damaged = "is what a spreadsheet makes of a long number";
const bracketed = /^\((.+)\)$/;
/** Digits in groups of three, and what may follow them. */
const grouped = /^(-?)(\d{1,3})((?:([,.' ])\d{3})(?:\4\d{3})*)([.,]\d+)?$/;
const runTogether = /^-?\d{4,}/;
/** Groups with points between them, which can only be thousands. */
const pointed = /^-?\d{1,3}(?:\.\d{3}){2,}$/;
const addComma = "add --book-decimal comma";
const comma: BookSetting = { key: "decimal", value: "comma" };
const eitherMark: readonly BookSetting[] = [comma, { key: "decimal", value: "point" }];

/**
 * Reads digits with a point (or a comma, where that is set) before decimals, thousands in groups or not, negative
 * amounts with a sign or in brackets; nothing that could be read in two ways.
 * @param mark undefined where neither a flag nor the profile sets it: then `25.000` can be read in two ways
 */
export function readBookAmount(text: string, mark: DecimalMark | undefined): ReadCell<WrittenAmount> {
  if (text === "") return { problem: "is empty" };
  const plain = withPlainMarks(text);
  const [, inside] = bracketed.exec(plain) ?? [];
  const signed = inside === undefined ? plain : inside.startsWith("-") ? "" : `-${inside.trim()}`;
  const [, sign = "", first = "", others, between = "", decimals = ""] = grouped.exec(signed) ?? [];
  const point = mark === "comma" ? "," : ".";
  const isGrouped = others !== undefined && between !== point && (decimals === "" || decimals.startsWith(point));
  const digits = isGrouped ? `${sign}${first}${others.replaceAll(between, "")}${decimals}` : signed;
  const unclear = mark === undefined && digits.includes(".") ? ambiguity(digits) : undefined;
  if (unclear !== undefined)
    return { problem: `${unclear}: ${addComma}, or --book-decimal point`, settings: eitherMark };
  const amount = Decimal.parse(mark === "comma" ? withPoint(digits) : digits);
  if (amount === undefined) return amountProblem(text, signed, mark);
  const thousands = isGrouped ? markOf(between) : undefined;
  return { value: { amount, thousands, isRunTogether: runTogether.test(digits) && !isGrouped } };
}

/** With a decimal comma, a point can only be a separator. */
function withPoint(text: string): string {
  return text.includes(".") ? "" : text.replace(",", ".");
}

function markOf(between: string): ThousandsMark {
  return between === "," || between === "." || between === "'" ? between : " ";
}

function amountProblem(text: string, signed: string, mark: DecimalMark | undefined): ReadCell<never> {
  if (scientific.test(text)) return { problem: damaged };
  if (mark !== "comma" && (/^-?\d+,\d{1,2}$/.test(signed) || /^-?\d{1,3}(?:[.' ]\d{3})+,\d+$/.test(signed)))
    return { problem: `has a decimal comma: ${addComma}`, settings: [comma] };
  if (mark === undefined && pointed.test(signed))
    return { problem: `has separators between its digits: if all are meant so, ${addComma}`, settings: [comma] };
  if (/^-?\d{1,3}(?:[,.' ]\d{3})+/.test(signed)) return { problem: "has separators between its digits that differ" };
  return { problem: "isn't a valid amount" };
}

/** 1 for credit, -1 for debit. */
export function readDirection(text: string): ReadCell<1 | -1> {
  const word = text.toUpperCase();
  if (word === "CR" || word === "CREDIT") return { value: 1 };
  if (word === "DR" || word === "DEBIT") return { value: -1 };
  return { problem: text === "" ? "is empty" : "is not one of CR, DR, CREDIT, DEBIT" };
}

/** A reference is kept unchanged; one that a spreadsheet has converted to a number is refused. */
export function readBookReference(text: string): ReadCell<string> {
  return text.includes("E+") && longNumber.test(text) ? { problem: damaged } : { value: text };
}
