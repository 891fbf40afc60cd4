import type { Rows } from "../contract/endpoint.ts";
import type { Files } from "../host/files/files.ts";
import type { FileReport } from "../report/report.ts";
import type { Rules } from "../rules/rule.ts";
import { Decimal } from "../values/money/decimal.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";
import { StatementCheck } from "./check.ts";
import type { Encoder, StatementFormat } from "./formats/encoders.ts";
import { encoders } from "./formats/encoders.ts";
import type { StatementData } from "./formats/format.ts";
import type { OwnTransfers } from "./formats/statement-lines.ts";
import { accountsIn } from "./formats/text/rule-accounts.ts";
import { linesOf, oldestFirst } from "./formats/statement-lines.ts";
import { StatementTotals } from "./formats/totals.ts";
import { openingOf } from "./opening.ts";
import type { StatementInWords } from "./statement-report.ts";

const currencyForm = /^[A-Z]{3}$/;
const csvHint = "Use --output csv, which shows the rows as the service sent them.";

/** Facts about an account that its rows do not have. */
export interface AccountFacts {
  readonly name: string | undefined;
  readonly currency: string | undefined;
  /** The current balance. */
  readonly balance: Decimal | undefined;
}

export interface StatementToFile extends Omit<StatementInWords, "columns" | "currency"> {
  readonly accountKind: StatementData["accountKind"];
  readonly files: Pick<Files, "spool">;
  /** Asks the service, where a format needs these facts. */
  account(): Promise<AccountFacts>;
  /** True where another file opens accounts and balance. */
  readonly goesOn?: boolean | undefined;
  /** Rules that assign rows to accounts, where a format has accounts. */
  readonly rules?: Rules | undefined;
  /** Finds the transfers between the profile's own wallets, where a format books them separately. */
  ownTransfers?(): Promise<OwnTransfers>;
  /** The rows since the period; undefined where it has not ended yet. */
  laterRows(): Promise<Rows | undefined>;
}

/** A statement as a file for another program, with the same summary and the same strictness as on the screen. */
export function statementFile(format: StatementFormat, rows: Rows, statement: StatementToFile): FileReport {
  const encoder = encoders[format];
  const check = new StatementCheck(statement.shape, statement.period);
  const totals = new StatementTotals();
  async function* content(): AsyncGenerator<string | Uint8Array> {
    await check.readThrough(rows, [totals]);
    if (statement.strict && check.mismatch() !== undefined) return;
    const fault = totals.unfit ?? (encoder.showsAnyDay === true ? undefined : totals.undated);
    if (fault !== undefined) throw unfit(format, fault);
    const encode = await encoder.load();
    yield* encode(await dataOf(rows, { encoder, format, statement, totals, check }));
  }
  const { rowsMax } = encoder;
  return {
    shape: "file",
    content: content(),
    findings: () => ({
      notes: [check.summary(), ...(rowsMax !== undefined && totals.rows > rowsMax ? [tooLong(format, rowsMax)] : [])],
      failure: statement.strict ? check.mismatch() : undefined,
    }),
  };
}

interface Read {
  readonly encoder: Encoder;
  readonly format: StatementFormat;
  readonly statement: StatementToFile;
  readonly totals: StatementTotals;
  readonly check: StatementCheck;
}

async function dataOf(rows: Rows, read: Read): Promise<StatementData> {
  const { encoder, format, statement, totals, check } = read;
  const newestFirst = check.isNewestFirst;
  const { accountNo, accountKind, period, shape } = statement;
  const ends = check.bookedEnds ?? totals.ends(newestFirst);
  const wantsBalances = encoder.balances !== "unused" && ends === undefined;
  const mustAsk = wantsBalances || (encoder.currency !== "unused" && !totals.currency);
  const account = mustAsk
    ? await statement.account()
    : encoder.namesAccount === true
      ? await tryAccount(statement)
      : undefined;
  const currency = totals.currency || (account?.currency ?? "");
  if (encoder.currency === "needed" && !currencyForm.test(currency)) throw noCurrency(format, accountNo, currency);
  const { opening, closing } = ends ?? (wantsBalances ? await balancesAround(read, account) : {});
  const isOwnTransfer = encoder.separatesTransfers === true ? await statement.ownTransfers?.() : undefined;
  const order = { newestFirst, files: statement.files };
  const { rules } = statement;
  const known = { accountNo, isOwnTransfer, rules };
  const startDay = period.startDate.toString();
  return {
    accountNo,
    accountKind,
    accountName: account?.name,
    currency,
    period,
    opening,
    closing,
    credits: totals.credits,
    debits: totals.debits,
    rows: totals.rows,
    entries: totals.entries,
    verdict: check.verdict(),
    addsUp: check.addsUp,
    goesOn: statement.goesOn === true,
    ruleAccounts: accountsIn(rules),
    isChronological: totals.isChronological(newestFirst),
    earliestDay: totals.earliestDay !== undefined && totals.earliestDay < startDay ? totals.earliestDay : startDay,
    lines: () => linesOf(rows, shape, { ...order, known }),
    rawRows: () => oldestFirst(rows, order),
  };
}

/** Optional facts: a file can be written without them. */
async function tryAccount(statement: StatementToFile): Promise<AccountFacts | undefined> {
  try {
    return await statement.account();
  } catch (error) {
    if (error instanceof Failure && (error.ending === "refused" || error.ending === "unavailable")) return undefined;
    throw error;
  }
}

/**
 * The balance around a period without rows, or with rows without balances: the one before the first row after the
 * period, or the current one where there was no row since.
 */
async function balancesAround({ encoder, format, statement, totals }: Read, account: AccountFacts | undefined) {
  const later = await statement.laterRows();
  const closing = (later && (await openingOf(later, statement.shape, statement.period))) ?? account?.balance;
  if (closing === undefined && encoder.balances === "welcome") return {};
  if (closing === undefined)
    throw new Failure("unavailable", `The service does not say what ${statement.accountNo} held in that period.`, {
      hint: `A file of ${format} has to say it. ${csvHint}`,
    });
  return { opening: closing.subtract(totals.credits).add(totals.debits), closing };
}

function unfit(format: StatementFormat, what: string): Failure {
  return new Failure("mismatch", `No ${format} file can be made from this statement: ${what}.`, { hint: csvHint });
}

function noCurrency(format: StatementFormat, accountNo: string, currency: string): Failure {
  const why =
    currency === "" ? "is not named by the service" : `is ${quote(currency)}, which isn't the code of a currency`;
  return new Failure("unavailable", `The currency of ${accountNo} ${why}, and a file of ${format} has to name it.`, {
    hint: csvHint,
  });
}

function tooLong(format: StatementFormat, rowsMax: number): string {
  const limit = rowsMax.toLocaleString("en");
  return `${format} takes about ${limit} rows in one file, and this one has more: ask for shorter periods, one file each.`;
}
