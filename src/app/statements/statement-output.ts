import type { Rows } from "../../contract/endpoint.ts";
import type { RowsReport } from "../../report/report.ts";
import type { StatementFormat } from "../../statements/formats/encoders.ts";
import { fileFormats } from "../../statements/formats/encoders.ts";
import { statementReport } from "../../statements/statement-report.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Period } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import { rowFilter } from "../where.ts";
import type { AccountStatements } from "./account-statements.ts";
import { periodAfter, unchangedBalance } from "./unchanged-balance.ts";

/** Which statement of an account to show, and how. */
export interface StatementAsked {
  readonly period: Period;
  readonly strict: boolean;
  /** Fetches month by month; default: in one piece. */
  readonly by?: "month" | undefined;
  /** The condition for rows to show; the check looks at all rows. */
  readonly where?: string | undefined;
  /** True where another file opens the accounts and the balance. */
  readonly noOpening?: boolean | undefined;
  /** The file of rules that assign rows to accounts. */
  readonly accounts?: string | undefined;
  /** Draws the balance, where the result is a table. */
  readonly chart: boolean;
  /** The rows of the period, where they were read already. */
  readonly rows?: Rows | undefined;
}

/**
 * Reads a statement and prints or saves it: as the rows that came, or as the kind of file that was asked for.
 * @throws {Failure} setup | refused | unavailable | mismatch
 */
export async function sayStatement(account: AccountStatements, session: Session, asked: StatementAsked): Promise<void> {
  const { accountNo, columns, shape } = account;
  const { period, by, strict } = asked;
  const filter = await rowFilter(asked.where, columns);
  const file = fileFormats.find((known) => known === session.result.file);
  if (file !== undefined) return session.say(await fileOf(file, account, session, asked));
  const inWords = { accountNo, period, strict, columns, shape };
  const say = (report: RowsReport) => session.say(filter?.chosen(report) ?? report);
  const isTable = session.result.file === undefined && session.format === "table";
  // Output for programs can be very long, and needs nothing but the rows.
  if (!isTable && by === undefined && asked.rows === undefined)
    return account.stream(period, (rows) => say(statementReport(rows, inWords)));
  const rows = asked.rows ?? (await account.read(period, by));
  if (!isTable) return say(statementReport(rows, inWords));
  const currency = await account.shownCurrency();
  const isEmpty = session.showsPerson && (await hasNoRows(rows));
  const held = isEmpty ? await unchangedBalance(period, account, session) : undefined;
  const summary = await summaryOf({ period, currency, held }, asked.chart, session);
  return say(statementReport(rows, { ...inWords, currency, summary, summarisesNothing: held !== undefined }));
}

async function hasNoRows(rows: Rows): Promise<boolean> {
  for await (const batch of rows) if (batch.length > 0) return false;
  return true;
}

/** The statement as a file for another program. */
async function fileOf(format: StatementFormat, account: AccountStatements, session: Session, asked: StatementAsked) {
  const { accountNo, accountKind, shape } = account;
  const { period, strict, noOpening } = asked;
  const rules = asked.accounts === undefined ? undefined : await rulesFor(format, asked.accounts, session);
  const rows = asked.rows ?? (await account.read(period, asked.by));
  const { statementFile } = await import("../../statements/statement-file.ts");
  return statementFile(format, rows, {
    accountNo,
    accountKind,
    shape,
    period,
    strict,
    files: session.host.files,
    goesOn: noOpening,
    rules,
    ownTransfers: async () => {
      if (accountKind !== "wallet") return () => false;
      const { ownTransfersOf } = await import("./own-transfers.ts");
      return ownTransfersOf(session, { accountNo, period, from: account.wallets });
    },
    account: () => account.facts(),
    laterRows: async () => {
      const later = periodAfter(period.endDate, session.today());
      return later && account.read(later);
    },
  });
}

/** The rules of `--accounts`, whose accounts the format must allow. */
async function rulesFor(format: StatementFormat, path: string, { host }: Session) {
  const [{ readRuleFile }, { checkAccounts }] = await Promise.all([
    import("../../rules/rule-file.ts"),
    import("../../statements/formats/text/rule-accounts.ts"),
  ]);
  const rules = await readRuleFile(host, path);
  if (format === "hledger" || format === "beancount") checkAccounts(rules, format);
  return rules;
}

async function summaryOf(
  of: { readonly period: Period; readonly currency: string | undefined; readonly held: Decimal | undefined },
  chart: boolean,
  session: Session,
) {
  const [{ StatementSummary }, { summaryView }] = await Promise.all([
    import("../../statements/statement-summary.ts"),
    import("./summary-view.ts"),
  ]);
  return new StatementSummary(of, summaryView(chart, session));
}
