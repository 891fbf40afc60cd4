import type { Reader } from "../client/reader.ts";
import { listWallets } from "../contract/wallets.ts";
import { accountIn } from "../journal/account-name.ts";
import type { Journal, SeenRow } from "../journal/journal.ts";
import type { Day } from "../values/time/day.ts";
import type { Days } from "../values/time/service-clock.ts";
import { Failure } from "../values/failure.ts";
import { payingWallet, requestOf } from "../journal/requests/movement-request.ts";
import { ExplainedRows } from "./rows/explained-rows.ts";
import { referencesOfFees } from "./rows/payout-fees.ts";
import { referencesIn } from "./references.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { readRow, rowJson, rowKey } from "./rows/statement-row.ts";
import { daysAfter, isNoWallet, readWalletRows } from "./rows/wallet-rows.ts";

/** How many references are looked up in the journal at once. */
const lookupMax = 500;
/** How many rows are written at once. */
const keptMax = 500;

/** What to read, and for which account. */
export interface RecoveryOptions {
  /** As `accountScope` names it. */
  readonly scope: string;
  /** The first day, and the days that today may be by the service's clock. */
  readonly period: () => { readonly from: Day; readonly days: Days };
  /** True where orders certainly left since that day: then statements without any row are an error. */
  readonly expectsRows: boolean;
  readonly say: (line: string) => Promise<void>;
}

/** What the statements of an account show. */
export interface RecoveredRows {
  /** The first day of the statements. */
  readonly from: Day;
  readonly wallets: number;
  /** Rows with a value date in the period, fees included. */
  readonly rows: number;
  /** References in these rows, including those that the journal knows. */
  readonly references: number;
  /** Each reference of a row without an order in the journal. */
  readonly seen: readonly SeenRow[];
  /** Wallets whose statements could not be read, each with the reason. */
  readonly unread: readonly UnreadWallet[];
}

export interface UnreadWallet {
  readonly accountNo: string;
  readonly failure: Failure;
}

/** A row, and whether its value date lies in the period. */
interface DatedRow {
  readonly isInside: boolean;
  readonly row: StatementRow;
}

/**
 * Reads every wallet's statement, of collections and disbursements, for the references in its rows. It stores nothing,
 * and goes on after a statement that can't be read.
 * @throws {Failure} setup (credentials) | unavailable, where the wallets can't be listed, or no row is shown although
 * rows are expected or a statement can't be read | interrupted
 */
export async function readReferences(
  service: Pick<Reader, "read" | "stream">,
  journal: Pick<Journal, "knownAs" | "list">,
  options: RecoveryOptions,
): Promise<RecoveredRows> {
  const listed = await walletNumbers(service);
  const numbers = [...listed, ...(await otherWallets(journal, options.scope, new Set(listed)))];
  const { from, days } = options.period();
  await options.say(`Period: ${from.toString()} to ${days.latest.toString()}`);
  const rows: DatedRow[] = [];
  const unread: UnreadWallet[] = [];
  for (const [index, accountNo] of numbers.entries()) {
    await options.say(`Reading wallet ${index + 1} of ${numbers.length}: ${accountNo}`);
    const reading = readStatement(service, accountNo, { from, days });
    const isListed = listed.includes(accountNo);
    const read = await explained(reading, `The statement of ${accountNo}`, isListed).catch(unavailable);
    if (read instanceof Failure) unread.push({ accountNo, failure: read });
    else for (const row of read) rows.push(row);
  }
  const inside = rows.filter(({ isInside }) => isInside).length;
  const [first] = unread;
  if (inside === 0 && first !== undefined) throw first.failure;
  if (inside === 0 && options.expectsRows) throw nothingShown(from);
  const ofFees = referencesOfFees(rows.map(({ row }) => row));
  const references = [...new Set(rows.flatMap(({ row }) => referencesIn(row, ofFees)))];
  const known = await explainedBy(journal, options.scope, references);
  const accountId = accountIn(options.scope)?.accountId ?? options.scope;
  const seen = rows.flatMap(({ row }) => {
    const kept = { scope: options.scope, accountNo: row.accountNo, key: rowKey(accountId, row), row: rowJson(row) };
    return known.unexplainedIn(row, ofFees).map((reference) => ({ ...kept, reference }));
  });
  return { from, wallets: numbers.length, rows: inside, references: references.length, seen, unread };
}

function unavailable(error: unknown): Failure {
  if (error instanceof Failure && error.ending === "unavailable") return error;
  throw error;
}

/** Stores these rows. @returns how many are new to the journal */
export async function keepReferences(journal: Pick<Journal, "keepSeen">, seen: readonly SeenRow[]): Promise<number> {
  let added = 0;
  for (let at = 0; at < seen.length; at += keptMax) added += await journal.keepSeen(seen.slice(at, at + keptMax));
  return added;
}

async function walletNumbers(service: Pick<Reader, "read">): Promise<readonly string[]> {
  const wallets = await explained(service.read(listWallets, {}), "The list of wallets");
  const numbers = wallets.map(({ accountNo }) => (typeof accountNo === "string" ? accountNo.trim() : ""));
  if (numbers.length > 0 && !numbers.includes("")) return [...new Set(numbers)];
  const message =
    numbers.length === 0 ? "The service lists no wallets." : "The service lists a wallet without a number.";
  throw new Failure("unavailable", message, { hint: "Nothing was changed. Run it again later." });
}

/** Wallets that orders of the account were paid from, and that the service does not list. */
async function otherWallets(
  journal: Pick<Journal, "list">,
  scope: string,
  listed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const others = new Set<string>();
  for await (const order of journal.list({ scope })) {
    const wallet = payingWallet(order.kind, requestOf(order));
    if (wallet !== undefined && !listed.has(wallet)) others.add(wallet);
  }
  return [...others];
}

async function readStatement(
  service: Pick<Reader, "stream">,
  accountNo: string,
  { from, days }: ReturnType<RecoveryOptions["period"]>,
): Promise<readonly DatedRow[]> {
  const last = days.latest.addDays(daysAfter);
  return readWalletRows(service, { accountNo, first: from, last, days }, async (batches) => {
    const rows: DatedRow[] = [];
    for await (const sources of batches)
      for (const source of sources) {
        const row = readRow(accountNo, source);
        const { valueDay } = row;
        const isInside = valueDay !== undefined && valueDay.compare(from) >= 0 && valueDay.compare(last) <= 0;
        rows.push({ isInside, row });
      }
    return rows;
  });
}

/** What the journal knows of orders under these references. */
async function explainedBy(
  journal: Pick<Journal, "knownAs">,
  scope: string,
  references: readonly string[],
): Promise<ExplainedRows> {
  const known = new ExplainedRows();
  for (let at = 0; at < references.length; at += lookupMax)
    known.add(await journal.knownAs(scope, references.slice(at, at + lookupMax)));
  return known;
}

/**
 * Turns each failure of a reading into `unavailable`: a refusal says no more than no answer. A wallet that isn't listed
 * may be gone: then it has no rows.
 */
async function explained<T>(reading: Promise<readonly T[]>, what: string, isListed = true): Promise<readonly T[]> {
  try {
    return await reading;
  } catch (error) {
    if (!isListed && error instanceof Failure && isNoWallet(error)) return [];
    if (!(error instanceof Failure) || error.ending === "setup" || error.ending === "interrupted") throw error;
    const { message, hint = "Run it again later.", requestId, http } = error;
    throw new Failure("unavailable", `${what} was not read: ${message}`, {
      hint: `Nothing was changed. ${hint}`,
      requestId,
      http,
      cause: error,
    });
  }
}

function nothingShown(from: Day): Failure {
  return new Failure("unavailable", `The statements show no row since ${from.toString()}, though orders left since.`, {
    hint: "Nothing was changed. Run it again when the statements are up to date, or from an earlier day: --from YYYY-MM-DD. If none of those orders moved money: --allow-empty",
  });
}
