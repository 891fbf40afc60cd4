import { accountBalance } from "../../contract/accounts.ts";
import { listWallets } from "../../contract/wallets.ts";
import type { Row, RowsReport } from "../../report/report.ts";
import { textIn } from "../../statements/entry.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { disagreementsOf } from "../../statements/reconcile/result/disagreements.ts";
import { endings, Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { quote, visible } from "../../values/text/text.ts";
import type { Period } from "../../values/time/period.ts";
import { nicknamesInUse } from "../accounts/nicknames.ts";
import { rowFilter } from "../where.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import type { Reconciliation } from "../../statements/reconcile/reconciliation.ts";
import type { Reconciled } from "./compare.ts";
import { reconcileAccount } from "./compare.ts";
import type { ReconcileFlags } from "./flags.ts";
import { shownFields, shownRow } from "./every-wallet-view.ts";
import { filesOf, readInputs } from "./inputs.ts";
import { sayReconciled, writeOpen } from "./outputs.ts";

/** One row for each account: its result, and its open items. */
const summaryFields = [
  { name: "account", kind: "id", role: "who" },
  { name: "exit", kind: "count", role: "state" },
  { name: "matched", kind: "count", role: "detail" },
  { name: "exceptions", kind: "count", role: "detail" },
  { name: "closing", kind: "amount", role: "money" },
  { name: "closingPerBook", kind: "amount", title: "per book", role: "money" },
  { name: "inTransit", kind: "amount", title: "in transit", role: "money" },
  { name: "outstanding", kind: "amount", role: "money" },
  { name: "bankFirst", kind: "amount", title: "bank first", role: "money" },
  { name: "feesNotInBook", kind: "amount", title: "fees not in book", role: "money" },
  { name: "unexplained", kind: "amount", role: "money" },
  { name: "currency", kind: "id", role: "money" },
  { name: "note", kind: "text", role: "what", whole: true },
] as const satisfies readonly Field[];

/** Endings that stop the comparison of one account but not of the others; the gravest first. */
const ofOneAccount = ["usage", "unavailable", "refused", "mismatch"] as const;

/**
 * Reconciles every wallet with its own book, one after the other, and prints a row for each. The service has no list of
 * merchant accounts, so those with a nickname are included.
 * @throws {Failure} usage | setup | unavailable | the gravest of the accounts
 */
export async function reconcileEveryWallet(session: Session, flags: ReconcileFlags): Promise<void> {
  const { save } = session.result;
  refuseUnfit(flags);
  const chosen = await rowFilter(flags.where, summaryFields);
  const isEach = save?.includes("{account}") === true;
  const period = await notedPeriod(flags, session);
  const wallets = await session.service.read(listWallets, {});
  const rows: Row[] = [];
  const failures: Failure[] = [];
  const one = async (account: string, accountKind: ReconcileFlags["accountKind"], currency: string) => {
    const own = { ...flags, accountKind };
    const ended = await reconcileOne(session, own, period, { account, save: isEach ? save : undefined });
    if (ended.failure !== undefined) failures.push(ended.failure);
    rows.push({ ...ended.row, account, currency });
  };
  for (const wallet of wallets) await one(textIn(wallet, "accountNo"), "wallet", textIn(wallet, "currency"));
  for (const account of await merchantsNamed(session, wallets))
    await one(account, "merchant", await currencyOfMerchant(session, account));
  if (isEach) session.showNext();
  else session.saveAs(save);
  const carried = gravestOf(failures, rows.length);
  const report: RowsReport = {
    shape: "rows",
    columns: summaryFields,
    onTerminal: shownFields,
    rows: session.showsPerson ? rows.map(shownRow) : rows,
    whenEmpty: "The account has no wallets.",
    findings: () => ({ notes: [], carried }),
  };
  await session.say(chosen?.chosen(report) ?? report);
}

/** Numbers of the profile's nicknames that no wallet has. */
async function merchantsNamed(session: Session, wallets: readonly JsonObject[]): Promise<ReadonlySet<string>> {
  const numbers = new Set(wallets.map((wallet) => textIn(wallet, "accountNo")));
  const nicknames = await nicknamesInUse(session.host, session.profileFlag);
  return new Set([...nicknames.values()].filter((number) => !numbers.has(number)));
}

/** Empty where the service does not give it. A failure is ignored: reading the account's statement reports it. */
async function currencyOfMerchant({ service }: Session, accountNo: string): Promise<string> {
  try {
    return textIn(await service.read(accountBalance, { accountNo }), "currency");
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return "";
    throw error;
  }
}

interface One {
  readonly account: string;
  /** Where to write the result of this account; undefined for none. */
  readonly save: string | undefined;
}

interface Ended {
  readonly row: Row;
  readonly failure?: Failure | undefined;
}

async function reconcileOne(
  session: Session,
  flags: ReconcileFlags,
  period: Period,
  { account, save }: One,
): Promise<Ended> {
  const files = filesOf(flags, save, account, period.endDate);
  let reconciled: Reconciled | undefined;
  try {
    if (files.book !== undefined && (await session.host.files.facts(files.book)) === undefined)
      throw new Failure("mismatch", `${account} has no book: there is no ${visible(files.book)}.`, {});
    const inputs = await readInputs(session, flags, account, files);
    reconciled = await reconcileAccount(session, flags, period, inputs);
    if (files.save === undefined) await writeOpen(session, reconciled, files);
    else {
      session.saveAs(files.save);
      await sayReconciled(session, reconciled, files);
    }
  } catch (error) {
    const isOwn = error instanceof Failure && ofOneAccount.some((ending) => ending === error.ending);
    if (!isOwn) throw error;
    if (reconciled === undefined || error.ending !== "mismatch") return { row: failedRow(error), failure: error };
  }
  return summaryOf(reconciled);
}

function failedRow({ ending, message }: Failure): Row {
  return { exit: Numeral.of(endings[ending].exit), note: message };
}

function summaryOf({ reconciliation }: Reconciled): Ended {
  const { agrees, balance, sums, exceptions, totals, accountNo } = reconciliation;
  const row = {
    exit: Numeral.of(agrees ? endings.ok.exit : endings.mismatch.exit),
    matched: Numeral.of(totals.find((total) => total.class === "matched")?.count ?? 0),
    exceptions: Numeral.of(exceptions.reduce((sum, { count }) => sum + count, 0)),
    closing: numeral(sums.closing),
    closingPerBook: numeral(balance.closingPerBook),
    inTransit: numeral(balance.inTransit),
    outstanding: numeral(balance.outstanding),
    bankFirst: numeral(balance.bankFirst),
    feesNotInBook: numeral(balance.feesNotInBook),
    unexplained: numeral(balance.unexplained),
    note: noteOf(reconciliation),
  };
  const note = row.note.replace(/\.$/, "");
  const failure = new Failure("mismatch", `Statement and book of ${accountNo} do not agree: ${note}.`, {});
  return agrees ? { row } : { row, failure };
}

/** Why both sides do not agree, with each decision that no longer fits; empty where they do. */
function noteOf({ exceptions, sums, balance, misfits }: Reconciliation): string {
  return [...disagreementsOf({ exceptions, sums, balance, misfits: [] }), ...misfits].join(", ");
}

function gravestOf(failures: readonly Failure[], accounts: number): Failure | undefined {
  const ending = ofOneAccount.find((name) => failures.some((failure) => failure.ending === name));
  const first = failures.find((failure) => failure.ending === ending);
  if (first === undefined || ending === undefined) return undefined;
  return new Failure(ending, `${failures.length} of ${accounts} accounts do not agree; the first: ${first.message}`, {
    hint: "Look into each: partner reconcile --account ACCOUNT",
  });
}

function numeral(amount: Decimal | null): Numeral | null {
  return amount === null ? null : new Numeral(amount.toString());
}

/** Refuses flags about a single account, and paths that would be the same for all accounts. */
function refuseUnfit(flags: ReconcileFlags): void {
  if (flags.accountKind === "merchant")
    throw new Failure("usage", "--all means every wallet, and every merchant account with a nickname.", {
      hint: "Leave --account-kind out, or reconcile one account: --account A --account-kind merchant",
    });
  if (flags.bookOpening !== undefined || flags.bookClosing !== undefined)
    throw new Failure("usage", "A book's balance belongs to one account, but --all means every wallet.", {
      hint: "Reconcile that account by itself with --account.",
    });
  const named = [
    ["--book", flags.book],
    ["--decisions", flags.decisions],
    ["--exceptions", flags.exceptions],
    ["--carry", flags.carry],
  ] as const;
  const shared = named.find(([, path]) => path !== undefined && !path.includes("{account}"));
  if (shared === undefined) return;
  const [flag, path = ""] = shared;
  throw new Failure("usage", `${flag} ${quote(path)} is one file, but --all means every wallet.`, {
    hint: `Put {account} into its name, for example ${flag} 'books/{account}.csv'.`,
  });
}
