import type { BookForm } from "../../statements/reconcile/book/book-columns.ts";
import type { DecimalMark, ThousandsMark } from "../../values/book-writing.ts";
import { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import type { Session } from "../session.ts";
import type { BookFlags } from "./flags.ts";
import { bookFlags } from "./flags.ts";

const signs: Readonly<Record<DecimalMark, ThousandsMark>> = { point: ".", comma: "," };

/**
 * Refuses a flag about the form of a book without a book.
 * @param otherwise what happens without a book, as a hint
 * @throws {Failure} usage
 */
export function refuseIdle(flags: BookFlags, otherwise: string): void {
  const said = new Map(Object.entries(flags));
  const idle = Object.keys(bookFlags).find((name) => said.get(name) !== undefined);
  if (idle === undefined || flags.book !== undefined) return;
  throw new Failure("usage", `--${flagName(idle)} has no effect without --book.`, {
    hint: `Name your book with --book FILE, or leave it out to ${otherwise}.`,
  });
}

/**
 * The form of a book: from flags, else from the profile, else from our own names of columns.
 * @throws {Failure} usage | setup
 */
export async function bookForm(session: Session, flags: BookFlags): Promise<BookForm> {
  const { bookDebit: debit, bookCredit: credit } = flags;
  const hasSides = debit !== undefined || credit !== undefined;
  if (hasSides) refuseHalfSides(flags);
  const habits = (await session.account()).book();
  const decimal = flags.bookDecimal ?? habits.decimal;
  refuseSharedMark(decimal, flags.bookThousands);
  return {
    reference: flags.bookReference ?? habits.reference ?? "reference",
    amount: hasSides ? undefined : (flags.bookAmount ?? habits.amount ?? "amount"),
    debit,
    credit,
    date: flags.bookDate ?? habits.date ?? "date",
    direction: hasSides ? undefined : (flags.bookDirection ?? habits.direction),
    narration: flags.bookNarration,
    counterparty: flags.bookCounterparty,
    dateFormat: flags.bookDateFormat ?? habits.dateFormat,
    decimal: decimal ?? (flags.bookThousands === "." ? "comma" : undefined),
    thousands: flags.bookThousands,
    sheet: flags.sheet,
  };
}

function refuseSharedMark(decimal: DecimalMark | undefined, thousands: ThousandsMark | undefined): void {
  if (decimal === undefined || thousands !== signs[decimal]) return;
  throw new Failure("usage", `A ${decimal} cannot be both the separator of a book's thousands and its decimal mark.`, {
    hint: `Use another --book-thousands, or add --book-decimal ${decimal === "point" ? "comma" : "point"}.`,
  });
}

/** Two columns give amount and direction: one of the two gives neither, and a third one would contradict them. */
function refuseHalfSides({ bookDebit, bookCredit, bookAmount, bookDirection }: BookFlags): void {
  const other = bookAmount === undefined ? "--book-direction" : "--book-amount";
  const problem =
    bookDebit === undefined || bookCredit === undefined
      ? "--book-debit and --book-credit go together."
      : bookAmount === undefined && bookDirection === undefined
        ? undefined
        : `${other} has no meaning with --book-debit and --book-credit.`;
  if (problem === undefined) return;
  throw new Failure("usage", problem, { hint: "Name the two columns, or one with --book-amount." });
}
