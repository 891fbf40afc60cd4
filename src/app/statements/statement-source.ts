import type { Reader } from "../../client/reader.ts";
import { accountBalance, accountEntryFields, accountStatement } from "../../contract/accounts.ts";
import type { Endpoint, Rows, RowsEndpoint } from "../../contract/endpoint.ts";
import { listWallets, walletBalance, walletEntryFields, walletStatement } from "../../contract/wallets.ts";
import type { EntryShape } from "../../statements/entry.ts";
import { accountEntryShape, textIn, walletEntryShape } from "../../statements/entry.ts";
import type { FileFormat } from "../../statements/formats/encoders.ts";
import { fileFormats } from "../../statements/formats/encoders.ts";
import type { AccountFacts } from "../../statements/statement-file.ts";
import type { StatementSummary } from "../../statements/statement-summary.ts";
import type { RowsReport } from "../../report/report.ts";
import { statementReport } from "../../statements/statement-report.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { Day } from "../../values/time/day.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Period } from "../../values/time/period.ts";
import { describePeriod, monthsOf } from "../../values/time/period.ts";
import type { Session } from "../session.ts";
import { rowFilter } from "../where.ts";

type Service = Pick<Reader, "read">;

/** Where the statements of a kind of account come from, and what their rows are like. */
export interface StatementSource {
  readonly accountKind: "wallet" | "merchant";
  readonly columns: readonly Field[];
  readonly shape: EntryShape;
  readonly statement: RowsEndpoint<StatementInput>;
  readonly balance: Endpoint<"reads", { readonly accountNo: string }, JsonObject>;
  /** What its rows do not say. */
  account(service: Service, accountNo: string): Promise<AccountFacts>;
}

/** Spec 4.4 and 4.6: whose statement, and of which days, both included. */
interface StatementInput {
  readonly accountNo: string;
  readonly startDate: string;
  readonly endDate: string;
}

export const walletSource: StatementSource = {
  accountKind: "wallet",
  columns: walletEntryFields,
  shape: walletEntryShape,
  statement: walletStatement,
  balance: walletBalance,
  async account(service, accountNo) {
    const balance = await service.read(walletBalance, { accountNo });
    // Spec 2.5: the older form of a balance names no currency; the list of wallets does.
    if (textIn(balance, "currencyCode") !== "") return factsOf(balance, "currencyCode");
    const wallets = await service.read(listWallets, {});
    const listed = wallets.find((wallet) => textIn(wallet, "accountNo") === accountNo);
    return { ...factsOf(balance, "currencyCode"), currency: listed && textIn(listed, "currency") };
  },
};

export const merchantSource: StatementSource = {
  accountKind: "merchant",
  columns: accountEntryFields,
  shape: accountEntryShape,
  statement: accountStatement,
  balance: accountBalance,
  account: async (service, accountNo) => factsOf(await service.read(accountBalance, { accountNo }), "currency"),
};

export interface StatementAsked {
  readonly accountNo: string;
  readonly period: Period;
  readonly strict: boolean;
  /** Fetches month by month; in one piece where left out. */
  readonly by?: "month" | undefined;
  /** Which of the rows are shown; the check looks at all of them. */
  readonly where?: string | undefined;
  /** True where another file opens accounts and balance. */
  readonly noOpening?: boolean | undefined;
  /** Draws the balance, where the result is a table. */
  readonly chart: boolean;
  /** The rows of the period, where they were read already. */
  readonly rows?: Rows | undefined;
}

/**
 * Reads a statement and says it: as the rows that came, or as the kind of file that was asked for.
 * @throws {Failure} setup | refused | unavailable | mismatch
 */
export async function sayStatement(source: StatementSource, session: Session, asked: StatementAsked): Promise<void> {
  const { columns, shape } = source;
  const filter = await rowFilter(asked.where, columns);
  const shown = (report: RowsReport) => filter?.chosen(report) ?? report;
  const isTable = session.result.file === undefined && session.format === "table";
  const file = fileFormats.find((known) => known === session.result.file);
  if (file !== undefined) return session.say(await fileOf(file, source, session, asked));
  const inWords = { ...asked, columns, shape };
  // What programs read can be very long, and needs nothing but its rows.
  if (!isTable && asked.by === undefined && asked.rows === undefined)
    return session.service.stream(source.statement, inputOf(asked), (rows) =>
      session.say(shown(statementReport(rows, inWords))),
    );
  const rows = await readStatement(source, session, asked);
  if (!isTable) return session.say(shown(statementReport(rows, inWords)));
  const currency = await shownCurrency(source, session, asked.accountNo);
  const summary = await summaryOf({ period: asked.period, currency }, asked.chart, session);
  return session.say(shown(statementReport(rows, { ...inWords, currency, summary })));
}

/** The statement as a file for another program. */
async function fileOf(format: FileFormat, source: StatementSource, session: Session, asked: StatementAsked) {
  const { service, host } = session;
  const { accountNo, period } = asked;
  const rows = await readStatement(source, session, asked);
  const { statementFile } = await import("../../statements/statement-file.ts");
  return statementFile(format, rows, {
    ...asked,
    shape: source.shape,
    accountKind: source.accountKind,
    files: host.files,
    goesOn: asked.noOpening,
    ownTransfers: async () => {
      if (source.accountKind !== "wallet") return () => false;
      const { ownTransfersOf } = await import("./own-transfers.ts");
      return ownTransfersOf(session, accountNo, period);
    },
    account: () => source.account(service, accountNo),
    laterRows: async () => {
      const later = since(period.endDate, session.today());
      return later && service.read(source.statement, inputOf({ accountNo, period: later }));
    },
  });
}

/**
 * The rows of a period, read in one piece or month by month.
 * @throws {Failure} setup | refused | unavailable
 */
export async function readStatement(
  source: StatementSource,
  session: Session,
  { accountNo, period, by, rows }: Pick<StatementAsked, "accountNo" | "period" | "by" | "rows">,
): Promise<Rows> {
  const { service } = session;
  if (rows !== undefined) return rows;
  if (by === undefined) return service.read(source.statement, inputOf({ accountNo, period }));
  const pieces: Rows[] = [];
  for (const month of monthsOf(period)) {
    await session.note(`Reading ${describePeriod(month)} …`);
    pieces.push(await service.read(source.statement, inputOf({ accountNo, period: month })));
  }
  const { joinPieces } = await import("../../statements/joined-pieces.ts");
  return joinPieces(pieces);
}

async function summaryOf(of: ConstructorParameters<typeof StatementSummary>[0], chart: boolean, session: Session) {
  const [{ StatementSummary }, { summaryView }] = await Promise.all([
    import("../../statements/statement-summary.ts"),
    import("./summary-view.ts"),
  ]);
  return new StatementSummary(of, summaryView(chart, session));
}

/** Spec 2.6 has no field for the currency of an entry; people see it all the same, machines get what was sent. */
async function shownCurrency({ accountKind }: StatementSource, session: Session, accountNo: string) {
  if (accountKind !== "wallet") return undefined;
  const wallet = await session.service.tryRead(walletBalance, { accountNo });
  return wallet && (textIn(wallet, "currencyCode") || undefined);
}

function factsOf(balance: JsonObject, currency: string): AccountFacts {
  return {
    name: textIn(balance, "accountName") || undefined,
    currency: textIn(balance, currency) || undefined,
    balance: amountOf(balance["availableBalance"]) ?? undefined,
  };
}

export function inputOf({ accountNo, period }: Pick<StatementAsked, "accountNo" | "period">): StatementInput {
  return { accountNo, startDate: period.startDate.toString(), endDate: period.endDate.toString() };
}

/** The days from the one after `day` to today; undefined where that day is not over. */
function since(day: Day, today: Day): Period | undefined {
  return day.compare(today) < 0 ? { startDate: day.addDays(1), endDate: today } : undefined;
}
