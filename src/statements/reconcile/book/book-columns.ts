import type { DateFormat, DecimalMark, ThousandsMark } from "../../../values/book-writing.ts";
import { Failure } from "../../../values/failure.ts";
import { quote } from "../../../values/text/text.ts";

/** What a column of a book can contain. */
export const roles = ["reference", "amount", "debit", "credit", "date", "direction"] as const;
export type BookRole = (typeof roles)[number];

/** Which columns of a book contain what, and how it writes days and numbers. */
export interface BookForm {
  readonly reference: string;
  /** Undefined where debits and credits have columns of their own. */
  readonly amount: string | undefined;
  /** Money out, in the statement's sense. */
  readonly debit?: string | undefined;
  /** Money in. */
  readonly credit?: string | undefined;
  readonly date: string;
  /** With such a column, amounts have no sign. */
  readonly direction: string | undefined;
  /** Default: found by its usual names. Optional. */
  readonly narration?: string | undefined;
  readonly counterparty?: string | undefined;
  /** Undefined where no flag or profile sets it. */
  readonly dateFormat: DateFormat | undefined;
  /** Undefined where no flag or profile sets it: then a point, and `25.000` is refused. */
  readonly decimal: DecimalMark | undefined;
  /** Undefined where no flag or profile sets it. */
  readonly thousands?: ThousandsMark | undefined;
  /** The sheet of a workbook; default: the only one. */
  readonly sheet?: string | undefined;
}

export const columnsAdvice =
  "Say what its columns are called: --book-reference, --book-amount (or --book-debit and --book-credit) and --book-date, or once with partner profile set.";

/**
 * Refuses a column that is named for two roles.
 * @throws {Failure} usage
 */
export function refuseSharedColumn(form: BookForm): void {
  const one = roles.find((role) => roles.some((other) => other !== role && form[other] === form[role]) && form[role]);
  if (one === undefined) return;
  const sharing = roles.filter((role) => form[role] === form[one]);
  throw new Failure(
    "usage",
    `Column ${quote(form[one] ?? "")} is named for ${sharing.join(" and ")}, and it can be only one of them.`,
    { hint: columnsAdvice },
  );
}

/** What a cell of this role has to contain, and which flag changes that. */
export function adviceOn(role: BookRole, { dateFormat, decimal, direction }: BookForm): string {
  const noSign = direction === undefined ? "" : ", and no sign beside a direction";
  const amounts = `Amounts are digits with a ${decimal ?? "point"} before decimals; --book-thousands names their separator${noSign}.`;
  const advice: Readonly<Record<BookRole, string>> = {
    reference: "Let the spreadsheet keep references as text.",
    amount: amounts,
    debit: amounts,
    credit: amounts,
    date: `Days are read as ${dateFormat ?? "YYYY-MM-DD"}; --book-date-format names another form.`,
    direction: "A direction is CR, DR, CREDIT or DEBIT.",
  };
  return advice[role];
}
