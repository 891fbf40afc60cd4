import { closureWords } from "../../ledger/closure.ts";
import { isOfLedger } from "../../ledger/failures.ts";
import type { LedgerAccount } from "../../ledger/ledger.ts";
import { syncAccount } from "../../ledger/sync/account-sync.ts";
import { inOneCurrency } from "../../ledger/sync/one-currency.ts";
import { redactedService } from "../../ledger/sync/redacted-service.ts";
import type { AccountService } from "../../ledger/sync/service.ts";
import type { LedgerWriter } from "../../ledger/writer.ts";
import type { Day } from "../../values/time/day.ts";
import { clockAgreesMs } from "../../values/time/service-clock.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";
import { statementsOf } from "../statements/account-statements.ts";
import { saidBalances } from "../statements/said-balances.ts";
import { closureHint, isMissing, saysMissing } from "./account-closure.ts";
import type { ServiceAccount } from "./ledger-accounts.ts";
import { accountsOf } from "./ledger-accounts.ts";
import { keptScope } from "./kept-scope.ts";
import { learnClock, serviceDay } from "./service-day.ts";
import { withLedgerWriter } from "./open.ts";
import { currencyIn, refuseOtherCurrency } from "./other-currency.ts";

/** Endings that stop the sync of one account, but not of the others. */
const ofOneAccount = new Set(["refused", "unavailable", "setup"]);

export interface SyncFlags {
  /** The accounts that were named; all where none is. */
  readonly named: readonly string[];
  readonly startDate: Day | undefined;
  /** True where another command syncs first: each account's own notes are left out. */
  readonly isQuiet?: boolean | undefined;
}

/**
 * Reads new rows of each account. One that fails is named and does not stop the others.
 * @returns how many accounts were read
 * @throws {Failure} unavailable where an account failed, when all were tried | setup | refused | interrupted | usage
 */
export async function syncLedger(session: Session, { named, startDate, isQuiet = false }: SyncFlags): Promise<number> {
  refuseToCome(session, startDate);
  const failures = await withLedgerWriter(session, async (writer) => {
    const scope = await keptScope(session, writer);
    const held = await writer.accounts(scope);
    const accounts = await accountsOf(session, named, held);
    if (accounts.length === 0 && !isQuiet) await session.note("The account has no wallets: there is nothing to read.");
    await learnClock(session, accounts);
    if (startDate === undefined && !isQuiet) await sayFirst(session, accounts, held);
    const failed: FailedAccount[] = [];
    const run = { session, writer, scope, held, named, startDate, isQuiet, seenAt: await timeOfSync(session, writer) };
    let readCount = 0;
    for (const account of accounts)
      try {
        if (await syncOne(run, account)) readCount++;
      } catch (error) {
        if (!(error instanceof Failure) || !ofOneAccount.has(error.ending) || isOfLedger(error)) throw error;
        failed.push({ accountNo: account.accountNo, failure: error, hint: hintOf(account, error, held) });
      }
    for (const account of await writer.accounts()) await writer.index(account);
    return { failed, count: accounts.length, readCount };
  });
  const [first] = failures.failed;
  if (first !== undefined) throw failureOf(failures.failed, first, failures.count);
  return failures.readCount;
}

/**
 * The time of what this sync sees: after all that was seen before, even where a clock was set back or is behind that of
 * another host. So what was known at some time is always the ledger after one of its syncs.
 */
async function timeOfSync(session: Session, writer: LedgerWriter): Promise<number> {
  const [now, last] = [session.host.clock.now(), await writer.lastSeen()];
  if (last === null || last <= now) return now;
  if (last > now + clockAgreesMs)
    await session.note(
      `By this machine's clock, the last sync at ${wallTime(last)} is still to come. Set the clocks by the network. Until then, --as-of shows what is read now right behind that sync.`,
    );
  return last + 1;
}

/**
 * The same for every profile. One that fails is named and does not stop the others.
 * @throws {Failure} as above, the most serious one
 */
export async function syncEveryLedger(session: Session, flags: SyncFlags): Promise<number> {
  if (flags.named.length > 0)
    throw new Failure("usage", "--all-profiles reads every account of every profile.", {
      hint: "Leave the accounts out, or name a profile: --profile NAME",
    });
  const { forEachProfile } = await import("../profiles/all-profiles.ts");
  const { done, failure } = await forEachProfile(session, (own) => syncLedger(own, flags));
  if (failure !== undefined) throw failure;
  return done.reduce((sum, { value }) => sum + value, 0);
}

/** A ledger that begins in the future would claim days that it has not read. */
function refuseToCome(session: Session, startDate: Day | undefined): void {
  const today = session.today();
  if (startDate === undefined || startDate.compare(today) <= 0) return;
  throw new Failure("usage", `--start-date ${startDate.toString()} is in the future.`, {
    hint: `Begin with ${today.toString()} or an earlier day.`,
  });
}

interface SyncRun {
  readonly session: Session;
  readonly writer: LedgerWriter;
  readonly scope: string;
  readonly held: readonly LedgerAccount[];
  readonly named: readonly string[];
  readonly startDate: Day | undefined;
  readonly isQuiet: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly seenAt: number;
}

/** False where the account is closed, so that nothing was read. */
async function syncOne(run: SyncRun, wanted: ServiceAccount): Promise<boolean> {
  const { session, writer, scope, startDate, isQuiet, seenAt } = run;
  const { accountNo, source, listed } = wanted;
  if (await isStillClosed(run, wanted)) return false;
  const said = await knownOf(session, wanted);
  const profile = (await session.account()).name ?? null;
  const account = await writer.enroll({ scope, kind: source.accountKind, accountNo }, { profile, ...said });
  refuseOtherCurrency(account, said.currency);
  const progress = async (line: string) => {
    if (session.host.stderr.isTerminal && !isQuiet) await session.note(line);
  };
  const { files } = session.host;
  const service = redactedService(
    inOneCurrency(serviceOf(session, wanted, account.currency), account),
    account.kind,
    await writer.redactedBefore(),
  );
  const context = { writer, service, listed, files, seenAt, progress };
  await syncAccount(context, account, { startDate, today: serviceDay(session) });
  return true;
}

/** An account whose closure was accepted is read again where the service has it again. */
async function isStillClosed({ session, writer, held, named, seenAt }: SyncRun, wanted: ServiceAccount) {
  const { accountNo } = wanted;
  const known = heldAs(wanted, held);
  if (known === undefined || known.closure === null) return false;
  if (await isMissing(session, wanted)) {
    for (const words of named.includes(accountNo) ? closureWords(known) : [])
      await session.note(`${accountNo}: ${words}.`);
    return true;
  }
  await writer.lapseClosure(known, seenAt);
  await session.note(`The service has ${accountNo} again, so it no longer counts as closed.`);
  return false;
}

function heldAs({ accountNo, source }: ServiceAccount, held: readonly LedgerAccount[]): LedgerAccount | undefined {
  return held.find((account) => account.accountNo === accountNo && account.kind === source.accountKind);
}

/** What to do next about the failure of one account. */
function hintOf(account: ServiceAccount, failure: Failure, held: readonly LedgerAccount[]): string | undefined {
  const { isListed, source } = account;
  const isGone = !isListed && saysMissing(failure, source) && heldAs(account, held) !== undefined;
  return isGone ? closureHint(account.accountNo) : (account.meant ?? failure.hint);
}

/** The account's name and currency; read from the service where no list has them. */
async function knownOf({ service }: Session, { accountNo, name, currency, source }: ServiceAccount) {
  if (currency !== "") return { name, currency };
  const facts = await source.account(service, accountNo);
  return { name: facts.name ?? name, currency: facts.currency ?? "" };
}

/** Says once from which day on the ledger has the accounts that are new to it. */
async function sayFirst(
  session: Session,
  accounts: readonly ServiceAccount[],
  held: readonly LedgerAccount[],
): Promise<void> {
  const known = held.filter(({ firstDay }) => firstDay !== null);
  const fresh = accounts.filter((account) => heldAs(account, known) === undefined);
  if (fresh.length === 0) return;
  const of = known.length === 0 ? "" : ` of ${fresh.map(({ accountNo }) => accountNo).join(", ")}`;
  const first = serviceDay(session).firstOfMonth();
  await session.note(`The ledger${of} begins on ${first.toString()}; ${forEarlierDays(first)}`);
}

/** `for earlier days: partner ledger sync --start-date 2026-10-01`, of a ledger that begins on that day. */
export function forEarlierDays(first: Day, flags = ""): string {
  return `for earlier days: partner ledger sync${flags} --start-date ${first.addDays(-1).firstOfMonth().toString()}`;
}

function serviceOf(session: Session, { accountNo, source }: ServiceAccount, currency: string): AccountService {
  const statements = statementsOf(source, session, accountNo);
  return {
    read: (period) => statements.read(period),
    stream: (period, use) => statements.stream(period, use),
    balances: async () => {
      const balance = await session.service.read(source.balance, { accountNo });
      refuseOtherCurrency({ accountNo, currency }, currencyIn(balance));
      return saidBalances(balance);
    },
  };
}

interface FailedAccount extends Pick<ServiceAccount, "accountNo"> {
  readonly failure: Failure;
  readonly hint: string | undefined;
}

function failureOf(failed: readonly FailedAccount[], { failure: first, hint }: FailedAccount, count: number): Failure {
  const names = failed.map(({ accountNo }) => accountNo).join(", ");
  const each = failed.map(({ accountNo, failure }) => [accountNo, failure.message]);
  const ending = failed.every(({ failure }) => failure.ending === "setup") ? "setup" : "unavailable";
  return new Failure(
    ending,
    `Not synced: ${failed.length} of ${counted(count, "account")} (${names}): ${first.message}`,
    {
      hint: hint ?? "The others are kept. Run it again later.",
      requestId: first.requestId,
      details: failed.length === 1 ? undefined : Object.fromEntries(each),
    },
  );
}
