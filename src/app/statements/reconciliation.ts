import { walletBalance } from "../../contract/wallets.ts";
import type { Report } from "../../report/report.ts";
import { textIn } from "../../statements/entry.ts";
import { AmountCodes } from "../../statements/reconcile/rows/amount-codes.ts";
import type { BookForm } from "../../statements/reconcile/book/book-columns.ts";
import { readBookFile } from "../../statements/reconcile/book/book-file.ts";
import { Book } from "../../statements/reconcile/book/book.ts";
import { fitsOtherWayRound } from "../../statements/reconcile/book/other-way-round.ts";
import type { AccountInQuestion } from "../../statements/reconcile/book/journal-book.ts";
import { readJournalBook } from "../../statements/reconcile/book/journal-book.ts";
import { reconcileFile, reconcileReport, resultFormats } from "../../statements/reconcile/result/reconcile-report.ts";
import { Parts } from "../../statements/reconcile/rows/parts.ts";
import { Reconciliation } from "../../statements/reconcile/reconciliation.ts";
import type { Source } from "../../statements/reconcile/source.ts";
import { DateWindow } from "../../statements/reconcile/rows/date-window.ts";
import { readStatement, StatementIntake } from "../../statements/reconcile/rows/statement-intake.ts";
import { StringTable } from "../../statements/reconcile/rows/string-table.ts";
import { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import type { Period } from "../../values/time/period.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { refuseOwnFile } from "../output-guard.ts";
import type { Session } from "../session.ts";
import type { reconcileFlags } from "./reconcile-flags.ts";
import { defaultWindowDays } from "./reconcile-flags.ts";
import { inputOf, merchantSource, walletSource } from "./statement-source.ts";

type Flags = FlagValues<typeof reconcileFlags>;

/**
 * Reads both sides and says what comparing them found.
 * @throws {Failure} usage | setup | refused | unavailable; differences are in the report
 */
export async function reconciliationOf(session: Session, flags: Flags): Promise<Report> {
  refuseIdle(flags);
  const span = new DateWindow(await session.period(flags), flags.window ?? defaultWindowDays);
  const asked = span.asked(session.today());
  const kind = flags.accountKind === "merchant" ? merchantSource : walletSource;
  const [texts, codes] = [new StringTable(), new AmountCodes()];
  const book = new Book(texts, codes, span, { readsNarrations: flags.book === undefined });
  // A book of a person's is read first: what is wrong with it needs no service to be found.
  const file = flags.book === undefined ? undefined : await readFile(session, flags.book, flags, book);
  const account = await accountInQuestion(session, flags);
  const booked = file ?? (await readJournal(session, account, asked, book));
  const input = inputOf({ accountNo: account.accountNo, period: asked });
  const { intake, stated } = await session.service.stream(kind.statement, input, async (rows) => {
    const intake = new StatementIntake(texts, codes, { shape: kind.shape, span, book });
    const { accountNo } = account;
    const reading = { accountNo, span, columns: kind.columns, intake, hashes: showsSources(session) };
    return { intake, stated: await readStatement(rows, reading) };
  });
  const sides = {
    statement: intake.side,
    book: book.side,
    codes,
    texts,
    span,
    parts: new Parts(),
    areOrders: file === undefined,
  };
  if (flags.bookDebit !== undefined && fitsOtherWayRound(intake.side, book.side, codes)) await session.note(otherWay);
  const bookBalance = { opening: flags.bookOpening, closing: flags.bookClosing };
  const parts = { sides, book, sums: intake.sums(), sources: [stated, booked], bookBalance };
  const reconciliation = new Reconciliation(account.accountNo, parts);
  const format = resultFormats.find((known) => known === session.result.file);
  return format === undefined
    ? reconcileReport(reconciliation, account.currency)
    : reconcileFile(format, reconciliation, account.currency);
}

const otherWay =
  "Hint: every amount of the book fits with the other sign only. Credit is money in: change --book-debit and --book-credit.";

/** Rows alone say nothing of where they come from; files, which are made as tables are, do. */
function showsSources({ format }: Session): boolean {
  return format === "table" || format === "json";
}

/** What a table says of the amounts, and what tells which orders of the journal belong to the account. */
async function accountInQuestion(
  { service, format }: Session,
  { account: accountNo, accountKind, book }: Flags,
): Promise<AccountInQuestion> {
  if (accountKind === "merchant") return { accountNo, type: "MERCHANT COLLECTION", currency: undefined };
  const isOfUse = format === "table" || book === undefined;
  const wallet = isOfUse ? await service.tryRead(walletBalance, { accountNo }) : undefined;
  if (wallet === undefined) return { accountNo, type: undefined, currency: undefined };
  const [type, currency] = [textIn(wallet, "type") || undefined, textIn(wallet, "currencyCode") || undefined];
  return { accountNo, type, currency };
}

/** What says how a book is written. */
const aboutBook = [
  "bookReference",
  "bookAmount",
  "bookDate",
  "bookDebit",
  "bookCredit",
  "bookDirection",
  "bookNarration",
  "bookCounterparty",
  "bookDateFormat",
  "bookDecimal",
  "bookThousands",
  "sheet",
] as const satisfies (keyof Flags)[];

/** Without a book the journal is compared, and nobody who says how a book is written means that. */
function refuseIdle(flags: Flags): void {
  const idle = aboutBook.find((name) => flags.book === undefined && flags[name] !== undefined);
  if (idle === undefined) return;
  throw new Failure("usage", `--${flagName(idle)} has no meaning without --book.`, {
    hint: "Name your book with --book FILE, or leave it out to compare with the journal.",
  });
}

async function readFile(session: Session, path: string, flags: Flags, book: Book): Promise<Source> {
  await refuseOwnFile("--save", session.result.save, { path, is: "the book itself" }, session);
  const { source, notes } = await readBookFile(session.host, path, await bookForm(session, flags), book);
  for (const note of notes) await session.note(note);
  return source;
}

async function readJournal(session: Session, account: AccountInQuestion, asked: Period, book: Book): Promise<Source> {
  const journal = await session.journal("read");
  return readJournalBook(journal, await session.accountScope(), { account, asked, book });
}

/** Flag over profile over the names that a book of ours would have. */
async function bookForm(session: Session, flags: Flags): Promise<BookForm> {
  const { bookDebit: debit, bookCredit: credit } = flags;
  const hasSides = debit !== undefined || credit !== undefined;
  if (hasSides) refuseHalfSides(flags);
  const habits = (await session.account()).book();
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
    decimal: flags.bookDecimal ?? habits.decimal ?? "point",
    thousands: flags.bookThousands,
    sheet: flags.sheet,
  };
}

/** Two columns say amount and direction: half of them says neither, and another one would say it twice. */
function refuseHalfSides({ bookDebit, bookCredit, bookAmount, bookDirection }: Flags): void {
  const other = bookAmount === undefined ? "--book-direction" : "--book-amount";
  const problem =
    bookDebit === undefined || bookCredit === undefined
      ? "--book-debit and --book-credit go together."
      : bookAmount === undefined && bookDirection === undefined
        ? undefined
        : `${other} has no meaning beside --book-debit and --book-credit.`;
  if (problem === undefined) return;
  throw new Failure("usage", problem, { hint: "Name the two columns, or one with --book-amount." });
}
