import { isNoWallet } from "../../evidence/rows/wallet-rows.ts";
import { Failure } from "../../values/failure.ts";
import type { LedgerAccount } from "../../ledger/ledger.ts";
import type { RecordReport } from "../../report/report.ts";
import type { Session } from "../session.ts";
import type { StatementSource } from "../statements/statement-source.ts";
import { walletSource } from "../statements/statement-source.ts";
import { statementsOf } from "../statements/account-statements.ts";
import { acceptReport, notHeld } from "./accept.ts";
import type { ServiceAccount } from "./ledger-accounts.ts";
import { accountsOf } from "./ledger-accounts.ts";
import { keptScope } from "./kept-scope.ts";
import { withLedger, withLedgerWriter } from "./open.ts";
import { serviceDay } from "./service-day.ts";

export interface ClosureAsked {
  readonly accountNo: string;
  readonly evidence: string;
}

/**
 * Accepts that an account was closed, on a person's word, where the service answers that it has no such account.
 * @throws {Failure} usage where the ledger does not hold it, the service still has it, or that was accepted before |
 *   setup | unavailable
 */
export async function acceptClosure(session: Session, { accountNo, evidence }: ClosureAsked): Promise<RecordReport> {
  const by = session.host.machine.userName;
  // Opening it for writing would create a missing ledger.
  const held = await withLedger(session, async (ledger) => ledger.accounts(await keptScope(session, ledger)));
  const missing = await missingOf(session, accountNo, held);
  await withLedgerWriter(session, async (writer) => {
    const still = openOf(await writer.accounts(await keptScope(session, writer)), accountNo);
    for (const account of still)
      if (missing.some(({ number }) => number === account.number))
        await writer.acceptClosure(account, { evidence, by });
  });
  return acceptReport(session, { accountNo, row: null, gap: null, evidence, by });
}

/**
 * True where the service doesn't list the account and answers that it has no such one (spec 7.1 and 7.2).
 * @throws {Failure} setup | unavailable | refused for another reason
 */
export async function isMissing(
  session: Session,
  { accountNo, source, isListed }: Pick<ServiceAccount, "accountNo" | "source" | "isListed">,
): Promise<boolean> {
  if (isListed) return false;
  const today = serviceDay(session);
  try {
    await statementsOf(source, session, accountNo).read({ startDate: today, endDate: today });
    return false;
  } catch (error) {
    if (saysMissing(error, source)) return true;
    throw error;
  }
}

/** True for a 404 by which the service has no such account. A wallet's has a reason, a merchant account's no body. */
export function saysMissing(error: unknown, source: StatementSource): boolean {
  if (!(error instanceof Failure) || error.ending !== "refused") return false;
  return source === walletSource ? isNoWallet(error) : error.http === 404;
}

/** The command that accepts that an account was closed. */
export function closureHint(accountNo: string): string {
  return `If the account was closed: partner ledger accept ${accountNo} --account-closed --evidence TEXT`;
}

async function missingOf(
  session: Session,
  accountNo: string,
  held: readonly LedgerAccount[],
): Promise<readonly LedgerAccount[]> {
  const open = openOf(held, accountNo);
  const missing: LedgerAccount[] = [];
  for (const wanted of await accountsOf(session, [accountNo], held)) {
    const account = open.find(({ kind }) => kind === wanted.source.accountKind);
    if (account !== undefined && (await isMissing(session, wanted))) missing.push(account);
  }
  if (missing.length === 0)
    throw new Failure("usage", `The service still has ${accountNo}, so it is not closed.`, {
      hint: `Run: partner ledger sync ${accountNo}`,
    });
  return missing;
}

/** Accounts with that number whose closure is not accepted yet. */
function openOf(held: readonly LedgerAccount[], accountNo: string): readonly LedgerAccount[] {
  const own = held.filter((account) => account.accountNo === accountNo);
  if (own.length === 0) throw notHeld(accountNo);
  const open = own.filter(({ closure }) => closure === null);
  if (open.length > 0) return open;
  throw new Failure("usage", `The closure of ${accountNo} has been accepted already.`, {
    hint: "Nothing is left to do. See on whose word: partner ledger status",
  });
}
