import { parseAccountNumber } from "../../values/account-number.ts";
import type { ThousandsMark } from "../../values/book-writing.ts";
import { dateFormats, decimalMarks, quotedMark, thousandsMarks, withPlainMarks } from "../../values/book-writing.ts";
import { Failure } from "../../values/failure.ts";
import { parseWholeDays } from "../../values/time/duration.ts";
import { parseThreshold } from "../../values/money/amount.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option, toggle } from "../../cli/line/input.ts";
import { statementFlags } from "../statements/statement-flags.ts";

const windowMaxDays = 366;
export const defaultWindowDays = 2;

const { strict: _strict, chart: _chart, ...periodFlags } = statementFlags;

/** How a book is written. */
export const bookFlags = {
  bookReference: option({ value: "COLUMN", summary: "The book's column of references.", group: "book", read: anyText }),
  bookAmount: option({
    value: "COLUMN",
    summary: "The book's column of amounts; above zero is credit.",
    group: "book",
    read: anyText,
  }),
  bookDebit: option({
    value: "COLUMN",
    summary: "The book's column of money out, where it has one for each side.",
    group: "book",
    read: anyText,
  }),
  bookCredit: option({
    value: "COLUMN",
    summary: "The book's column of money in.",
    group: "book",
    read: anyText,
  }),
  bookDate: option({ value: "COLUMN", summary: "The book's column of dates.", group: "book", read: anyText }),
  bookDirection: option({
    value: "COLUMN",
    summary: "The book's column of CR or DR, where amounts have no sign.",
    group: "book",
    read: anyText,
  }),
  bookNarration: option({
    value: "COLUMN",
    summary: "The book's column of descriptions (default: narration, description or memo).",
    group: "book",
    read: anyText,
  }),
  bookCounterparty: option({
    value: "COLUMN",
    summary: "The book's column of payers and payees (default: counterparty or payee).",
    group: "book",
    read: anyText,
  }),
  bookDateFormat: option({
    value: "FORMAT",
    summary: `How the book writes dates: ${dateFormats.join(", ")} (default: the first).`,
    group: "book",
    read: oneOf(...dateFormats),
  }),
  bookThousands: option({
    value: "MARK",
    summary: "The separator of the book's thousands (default: detected, if all amounts agree).",
    group: "book",
    read: parseThousandsMark,
  }),
  sheet: option({ value: "NAME", summary: "The sheet of a workbook that has several.", group: "book", read: anyText }),
  bookDecimal: option({
    value: decimalMarks.join("|"),
    summary: "The mark before the book's decimals (default: a point, but 25.000 is refused).",
    group: "book",
    read: oneOf(...decimalMarks),
  }),
} as const;

/** The two sides of the comparison. */
export const reconcileFlags = {
  account: option({ value: "A", summary: "The account whose statement is checked.", read: parseAccountNumber }),
  all: toggle({
    summary: "Every wallet, and merchant accounts with a nickname: --book 'books/{account}.csv'.",
  }),
  accountKind: option({
    value: "wallet|merchant",
    summary: "What kind of account it is (default: wallet).",
    read: oneOf("wallet", "merchant"),
  }),
  ...periodFlags,
  window: option({
    value: "2d",
    summary: "How many days before and after the period can match (default: 2d).",
    read: (text, name) => parseWholeDays(text, name, windowMaxDays),
  }),
  book: option({ value: "FILE", summary: "Your own book, CSV or .xlsx (default: the journal).", read: anyText }),
  rules: option({
    value: "FILE",
    summary: "What is fine, and what is a fee (default: rules.json beside the profiles).",
    read: anyText,
  }),
  decisions: option({
    value: "FILE.csv",
    summary: "What a person decided: statementRow,bookLine,decision,by,note.",
    read: anyText,
  }),
  exceptions: option({
    value: "FILE.csv",
    summary: "Write the open rows to a file to fill in for --decisions.",
    read: anyText,
  }),
  carry: option({
    value: "FILE",
    summary: "Read last month's open items from FILE, and keep this month's in it.",
    read: anyText,
  }),
  ...bookFlags,
  bookOpening: option({
    value: "N",
    summary: "The book's balance before the period's first day.",
    group: "book",
    read: parseBalance,
  }),
  bookClosing: option({
    value: "N",
    summary: "The book's balance after the period's last day.",
    group: "book",
    read: parseBalance,
  }),
} as const;

export type ReconcileFlags = FlagValues<typeof reconcileFlags>;

/** A book and how it is written. */
export type BookFlags = FlagValues<typeof bookFlags> & Pick<ReconcileFlags, "book">;

/** A balance, which can be below zero. */
function parseBalance(text: string, name: string): Decimal {
  return text.startsWith("-") ? parseThreshold(text.slice(1), name).negate() : parseThreshold(text, name);
}

/** @throws {Failure} usage */
function parseThousandsMark(text: string, name: string): ThousandsMark {
  const mark = thousandsMarks.find((candidate) => candidate === withPlainMarks(text));
  if (mark !== undefined) return mark;
  throw new Failure("usage", `${name} takes one of ${thousandsMarks.map(quotedMark).join(", ")}.`, {
    hint: `For example: ${name} ','`,
  });
}
