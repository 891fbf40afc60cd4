import { accountBalance } from "../../contract/accounts.ts";
import { walletBalance } from "../../contract/wallets.ts";
import { textIn } from "../../statements/entry.ts";
import type { ReadBook } from "../../statements/reconcile/book/book-file.ts";
import { readBookFile } from "../../statements/reconcile/book/book-file.ts";
import { Book } from "../../statements/reconcile/book/book.ts";
import type { AccountInQuestion } from "../../statements/reconcile/book/journal-book.ts";
import { readJournalBook } from "../../statements/reconcile/book/journal-book.ts";
import { fitsOtherWayRound } from "../../statements/reconcile/book/other-way-round.ts";
import { Carry } from "../../statements/reconcile/carry/carry.ts";
import { Reconciliation } from "../../statements/reconcile/reconciliation.ts";
import { Remarks } from "../../statements/reconcile/remarks.ts";
import { AmountCodes } from "../../statements/packing/amount-codes.ts";
import { DateWindow } from "../../statements/reconcile/rows/date-window.ts";
import { Parts } from "../../statements/reconcile/rows/parts.ts";
import { readStatement, StatementIntake } from "../../statements/reconcile/rows/statement-intake.ts";
import { StringTable } from "../../statements/reconcile/rows/string-table.ts";
import { Ruling } from "../../statements/reconcile/ruling.ts";
import type { ComparedSource } from "../../statements/reconcile/source.ts";
import type { Period } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import type { AccountStatements } from "../statements/account-statements.ts";
import { statementsOf } from "../statements/account-statements.ts";
import { unchangedBalance } from "../statements/unchanged-balance.ts";
import { merchantSource, walletSource } from "../statements/statement-source.ts";
import { refuseOtherCurrencies } from "./book-currency.ts";
import { bookForm } from "./book-form.ts";
import type { ReconcileFlags } from "./flags.ts";
import { defaultWindowDays } from "./flags.ts";
import type { Inputs } from "./inputs.ts";
import { markUsedBefore } from "./used-before.ts";

/** A comparison of one account, and its open items. */
export interface Reconciled {
  readonly reconciliation: Reconciliation;
  readonly currency: string | undefined;
  readonly carry: Carry | undefined;
}

/**
 * Reads both sides and compares them.
 * @param given where the rows come from; default: the service
 * @throws {Failure} usage | setup | refused | unavailable
 */
export async function reconcileAccount(
  session: Session,
  flags: ReconcileFlags,
  period: Period,
  { accountNo, book: path, rules, decisions, openMonths }: Inputs,
  given?: AccountStatements,
): Promise<Reconciled> {
  const span = new DateWindow(period, flags.window ?? defaultWindowDays);
  const asked = span.asked(session.today());
  const kind = flags.accountKind === "merchant" ? merchantSource : walletSource;
  const [texts, codes, remarks] = [new StringTable(), new AmountCodes(), new Remarks()];
  const ruling = rules === undefined ? undefined : new Ruling(rules, accountNo);
  const carry = openMonths === undefined ? undefined : new Carry(openMonths, period, remarks);
  const book = new Book(texts, codes, span, { readsNarrations: path === undefined, ruling });
  // A person's book is read first: its errors can be found without the service.
  const file = path === undefined ? undefined : await readFile(session, path, flags, book);
  const currencies = file?.currencies;
  const namesCurrency = currencies?.codes[0] !== undefined;
  const account = await accountInQuestion(session, flags, { accountNo, namesCurrency });
  if (currencies !== undefined && path !== undefined)
    await refuseOtherCurrencies(session, currencies, { account, path });
  const booked = file?.source ?? (await readJournal(session, account, asked, book));
  carry?.addToBook(book, { texts, codes, period });
  const statements = given ?? statementsOf(kind, session, accountNo);
  const { intake, stated } = await statements.stream(asked, async (rows) => {
    const intake = new StatementIntake(texts, codes, { shape: kind.shape, span, book, ruling });
    const reading = { accountNo, span, columns: kind.columns, intake, hashes: showsSources(session) };
    return { intake, stated: await readStatement(rows, reading) };
  });
  const sums = intake.sums(intake.isEmpty ? await unchangedBalance(period, statements, session) : undefined);
  carry?.addToStatement(intake, book, { texts, codes, period }, sums.opening);
  carry?.markSettled(intake.side, book.side, { texts, codes, period });
  if (file !== undefined && carry?.isContinued !== true)
    await markUsedBefore(statements, intake.side, { book, texts, codes, span, asked });
  const sides = {
    statement: intake.side,
    book: book.side,
    codes,
    texts,
    span,
    parts: new Parts(),
    areOrders: file === undefined,
  };
  if (file !== undefined && fitsOtherWayRound(intake.side, book, codes)) await session.note(otherWay(flags));
  const ignoredBefore = carry?.before?.ignored;
  const bookBalance = { opening: flags.bookOpening, closing: flags.bookClosing, ignoredBefore };
  const sources = [stated, booked];
  const all = { sides, book, sums, sources, bookBalance, remarks, ruling, decisions };
  return { reconciliation: new Reconciliation(accountNo, all), currency: account.currency, carry };
}

/** A hint for a book whose amounts have the opposite sign. */
function otherWay({ bookDebit, bookDirection }: ReconcileFlags): string {
  const way =
    bookDebit !== undefined
      ? "Credit is money in: swap --book-debit and --book-credit."
      : bookDirection !== undefined
        ? "CR is money in: swap CR and DR in the column of --book-direction."
        : "Above zero is money in: change the signs in the column of --book-amount.";
  return `Hint: every amount of the book fits with the other sign only. ${way}`;
}

/**
 * True where the result shows its sources: csv and ndjson have rows alone. For files, the format is that of a table.
 */
function showsSources({ format }: Session): boolean {
  return format === "table" || format === "json";
}

/** The currency and the name for a table, and how the account is recognized in orders of the journal. */
async function accountInQuestion(
  { service, format }: Session,
  { accountKind, book }: ReconcileFlags,
  { accountNo, namesCurrency }: { readonly accountNo: string; readonly namesCurrency: boolean },
): Promise<AccountInQuestion> {
  if (accountKind === "merchant") {
    const merchant = namesCurrency ? await service.tryRead(accountBalance, { accountNo }) : undefined;
    const currency = merchant && (textIn(merchant, "currency") || undefined);
    return { accountNo, type: "MERCHANT COLLECTION", currency };
  }
  const isOfUse = format === "table" || book === undefined || namesCurrency;
  const wallet = isOfUse ? await service.tryRead(walletBalance, { accountNo }) : undefined;
  if (wallet === undefined) return { accountNo, type: undefined, currency: undefined };
  const [type, currency] = [textIn(wallet, "type") || undefined, textIn(wallet, "currencyCode") || undefined];
  return { accountNo, type, currency };
}

async function readFile(session: Session, path: string, flags: ReconcileFlags, book: Book): Promise<ReadBook> {
  const read = await readBookFile(session.host, path, await bookForm(session, flags), book);
  for (const note of read.notes) await session.note(note);
  return read;
}

async function readJournal(
  session: Session,
  account: AccountInQuestion,
  asked: Period,
  book: Book,
): Promise<ComparedSource> {
  const journal = await session.journal("read");
  return readJournalBook(journal, await session.accountScope(), { account, asked, book });
}
