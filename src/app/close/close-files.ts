import type { LedgerAccount } from "../../ledger/ledger.ts";
import { resultFormats } from "../../statements/reconcile/result/reconcile-report.ts";
import { UnusableCells } from "../../statements/reconcile/book/book-file.ts";
import type { BookSetting } from "../../statements/reconcile/book/book-form.ts";
import { describeFormats, statementFormats } from "../../statements/formats/encoders.ts";
import { Failure } from "../../values/failure.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import type { Period } from "../../values/time/period.ts";
import { withLedger } from "../ledger/open.ts";
import { sayLedgerStatement, statementsIn } from "../ledger/statement.ts";
import { asFileName, fillFileName } from "../statements/file-name.ts";
import { runReconcile } from "../reconcile/run.ts";
import type { Session } from "../session.ts";
import type { CloseFolder } from "./close-folder.ts";
import type { ListedFile } from "./published-close.ts";

const noPeriod = {
  date: undefined,
  today: false,
  yesterday: false,
  lastMonth: false,
  thisMonth: false,
  year: undefined,
  last: undefined,
  where: undefined,
} as const;

/** A statement of the month in the folder. */
export interface StatementFile extends ListedFile {
  readonly account: LedgerAccount;
}

/** The statements in the folder, and by the account's number inside of the ledger why it lacks some. */
export interface StatementFiles {
  readonly statements: readonly StatementFile[];
  readonly unwritten: ReadonlyMap<number, readonly string[]>;
}

/**
 * Writes the statements of the month out of the ledger, in each format that can hold their rows. CSV holds all.
 * @throws {Failure} usage | unavailable | mismatch where the ledger lacks days
 */
export async function writeStatements(
  session: Session,
  folder: CloseFolder,
  { accounts, period, formats }: { accounts: readonly LedgerAccount[]; period: Period; formats: readonly string[] },
): Promise<StatementFiles> {
  const statements: StatementFile[] = [];
  const unwritten = new Map<number, readonly string[]>();
  for (const account of accounts)
    for (const format of formats) {
      const name = `statements/${fileNameOf(account, accounts)}.${endingOf(format)}`;
      const own = session.forFile(await folder.place(name), format, statementFormats);
      try {
        await sayLedgerStatement(own, account.accountNo, {
          ...noPeriod,
          startDate: period.startDate.toString(),
          endDate: period.endDate.toString(),
          month: undefined,
          chart: false,
          strict: false,
          noOpening: false,
          accountKind: account.kind,
          accounts: undefined,
          asOf: undefined,
        });
      } catch (error) {
        if (!(error instanceof Failure) || error.ending !== "mismatch" || format === "csv") throw folder.explain(error);
        const why = withoutEnding(error.message, ".");
        unwritten.set(account.number, [...(unwritten.get(account.number) ?? []), why]);
        continue;
      } finally {
        await own.close();
      }
      statements.push({ account, ...(await folder.list(name)) });
    }
  return { statements, unwritten };
}

/** The result of comparing an account with its book. */
export interface ReconciledFile {
  readonly account: LedgerAccount;
  /** Undefined where there is no book to compare with. */
  readonly path: string | undefined;
  /** Why they do not agree; undefined where they do. */
  readonly problem: string | undefined;
}

/**
 * Reconciles each account with its own book, where the profile says where the books are. An account that
 * was closed before the month needs none.
 * @throws {Failure} usage | unavailable
 */
export async function writeReconciliations(
  session: Session,
  folder: CloseFolder,
  { accounts, period }: { accounts: readonly LedgerAccount[]; period: Period },
): Promise<readonly ReconciledFile[]> {
  const profile = await session.account();
  const { path: form } = profile.book();
  if (form === undefined) return [];
  const results: ReconciledFile[] = [];
  for (const account of accounts) {
    const { accountNo, kind } = account;
    const book = fillFileName(form, accountNo, period.endDate);
    if ((await session.host.files.facts(book)) === undefined) {
      if (wasClosedBefore(account, period)) continue;
      results.push({ account, path: undefined, problem: `it has no book ${book}` });
      continue;
    }
    const name = `reconciliations/${fileNameOf(account, accounts)}.csv`;
    const own = session.forFile(await folder.place(name), "csv", describeFormats(resultFormats));
    let problem: string | undefined;
    try {
      const flags = reconcileFlags(accountNo, kind, period, book);
      if (account.closure === null) await runReconcile(own, flags);
      else
        await withLedger(session, (ledger) =>
          runReconcile(own, flags, statementsIn(ledger, { account, accounts, asOf: undefined })),
        );
    } catch (error) {
      if (!(error instanceof Failure) || error.ending !== "mismatch")
        throw inProfile(folder.explain(error), profile.owner);
      problem = error.message.replace(/\.$/, "");
    } finally {
      await own.close();
    }
    await folder.list(name);
    results.push({ account, path: name, problem });
  }
  return results;
}

/** True where a closed account was last read before the month. */
function wasClosedBefore({ closure, lastDay }: LedgerAccount, { startDate }: Period): boolean {
  return closure !== null && (lastDay === null || lastDay < startDate.toString());
}

/** The failure with keys of the profile as its hint: close has none of the flags of reconcile. */
function inProfile(error: unknown, owner: string | undefined): unknown {
  if (!(error instanceof UnusableCells) || owner === undefined || error.settings.length === 0) return error;
  const keys = error.settings.flatMap((settings) => settings.slice(0, 1).map(keyOf));
  const others = error.settings.flatMap((settings) => settings.slice(1).map(keyOf));
  const other = others.length === 0 ? "" : ` (or ${others.join(", or ")})`;
  const hint = `For close, set it in the profile: partner profile set ${owner} ${keys.join(" ")}${other}. Or correct the file.`;
  return new Failure(error.ending, error.message, { details: error.details, hint, cause: error });
}

function keyOf({ key, value }: BookSetting): string {
  return `book.${key}=${value}`;
}

function reconcileFlags(
  account: string,
  accountKind: "wallet" | "merchant",
  { startDate, endDate }: Period,
  book: string,
) {
  return {
    ...noPeriod,
    account,
    accountKind,
    all: false,
    startDate: startDate.toString(),
    endDate: endDate.toString(),
    month: undefined,
    book,
    window: undefined,
    rules: undefined,
    decisions: undefined,
    exceptions: undefined,
    carry: undefined,
    bookReference: undefined,
    bookAmount: undefined,
    bookDebit: undefined,
    bookCredit: undefined,
    bookDate: undefined,
    bookDirection: undefined,
    bookNarration: undefined,
    bookCounterparty: undefined,
    bookDateFormat: undefined,
    bookThousands: undefined,
    sheet: undefined,
    bookDecimal: undefined,
    bookOpening: undefined,
    bookClosing: undefined,
  } as const;
}

/** A wallet and a merchant account can have the same number. */
function fileNameOf({ accountNo, kind, number }: LedgerAccount, accounts: readonly LedgerAccount[]): string {
  const isTaken = accounts.some((other) => other.accountNo === accountNo && other.number !== number);
  const name = asFileName(accountNo);
  return isTaken ? `${name}-${kind}` : name;
}

function endingOf(format: string): string {
  const ending = statementFormats.find(({ name }) => name === format)?.ending;
  return ending === undefined ? format : ending.replace(/^\./, "");
}
