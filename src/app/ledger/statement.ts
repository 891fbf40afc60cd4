import type { Rows } from "../../contract/endpoint.ts";
import { closureWords } from "../../ledger/closure.ts";
import type { Ledger, LedgerAccount } from "../../ledger/ledger.ts";
import { describeDays, missingDays, wasServiceBehind } from "../../ledger/missing-days.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { dayInDarEsSalaam } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import type { AccountStatements } from "../statements/account-statements.ts";
import type { ExportFlags } from "../statements/export-flags.ts";
import { fillFileName } from "../statements/file-name.ts";
import { sayStatement } from "../statements/statement-output.ts";
import { checkBookkeeping, checkView } from "../statements/statement-run.ts";
import { merchantSource, walletSource } from "../statements/statement-source.ts";
import { lackHint } from "./as-of.ts";
import { readFirst } from "./service-day.ts";
import { keptScope } from "./kept-scope.ts";
import { withLedger } from "./open.ts";

export interface LedgerStatementFlags extends Omit<ExportFlags, "by" | "sinceLast" | "overlap" | "restart"> {
  /** The kind of the account; undefined where its number says it. */
  readonly accountKind: LedgerAccount["kind"] | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly asOf: number | undefined;
}

/**
 * Any statement out of the ledger, offline: the bytes are those that the service's rows would give.
 * @throws {Failure} usage | setup | mismatch where the ledger does not hold every day of the period
 */
export async function sayLedgerStatement(
  session: Session,
  accountNo: string,
  flags: LedgerStatementFlags,
): Promise<void> {
  checkView(session, { ...flags, sinceLast: false });
  checkBookkeeping(session, flags);
  const period = await notedPeriod(flags, session);
  const { save } = session.result;
  if (save !== undefined) session.saveAs(fillFileName(save, accountNo, period.endDate));
  await withLedger(session, async (ledger) => {
    const accounts = await ledger.accounts(await keptScope(session, ledger), flags.asOf);
    const account = chosenOf(accounts, accountNo, flags.accountKind);
    const today = flags.asOf === undefined ? session.today() : dayInDarEsSalaam(flags.asOf);
    const isUnread = account !== undefined && account.closure !== null && account.lastDay === null;
    const missing = isUnread ? [period] : missingDays(account, period, today);
    if (account === undefined || missing.length > 0)
      throw notHeld(accountNo, account, { missing: missing.length > 0 ? missing : [period], asOf: flags.asOf });
    for (const words of closureWords(account, period.endDate.toString())) await session.note(`${accountNo}: ${words}.`);
    await sayStatement(statementsIn(ledger, { account, accounts, asOf: flags.asOf }), session, { ...flags, period });
  });
}

/** @throws {Failure} usage where a wallet and a merchant account have the number, and no kind is named */
function chosenOf(
  accounts: readonly LedgerAccount[],
  accountNo: string,
  kind: LedgerAccount["kind"] | undefined,
): LedgerAccount | undefined {
  const [account, other] = accounts.filter(
    (known) => known.accountNo === accountNo && (kind === undefined || known.kind === kind),
  );
  if (other === undefined) return account;
  throw new Failure("usage", `${visible(accountNo)} is a wallet and a merchant account.`, {
    hint: "Say which one: --account-kind wallet or --account-kind merchant",
  });
}

interface Held {
  readonly account: LedgerAccount;
  /** All accounts of the same profile. */
  readonly accounts: readonly LedgerAccount[];
  readonly asOf: number | undefined;
}

/** An account's statements as the ledger has them. */
export function statementsIn(ledger: Ledger, { account, accounts, asOf }: Held): AccountStatements {
  const { accountNo, kind, name, currency, live } = account;
  const { accountKind, columns, shape } = kind === "wallet" ? walletSource : merchantSource;
  const rowsOf = (of: LedgerAccount, period: Period) => rowsIn(ledger, { account: of, asOf }, period);
  return {
    accountKind,
    columns,
    shape,
    accountNo,
    read: async (period) => rowsOf(account, period),
    stream: async (period, use) => use(rowsOf(account, period)),
    balance: async () => undefined,
    shownCurrency: async () => (kind === "wallet" && currency !== "" ? currency : undefined),
    facts: async () => ({ name: name || undefined, currency: currency || undefined, balance: live ?? undefined }),
    wallets: {
      wallets: async () => accounts.filter((other) => other.kind === "wallet"),
      async stream(number, period, use) {
        const other = accounts.find((known) => known.kind === "wallet" && known.accountNo === number);
        if (other !== undefined) await use(rowsOf(other, period));
      },
    },
  };
}

function rowsIn(ledger: Ledger, { account, asOf }: Omit<Held, "accounts">, period: Period): Rows {
  const [startDay, endDay] = [period.startDate.toString(), period.endDate.toString()];
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of ledger.rows(account, { startDay, endDay, asOf, asServed: true }))
        yield batch.map(({ row }) => row);
    },
  };
}

interface Lack {
  readonly missing: readonly Period[];
  readonly asOf: number | undefined;
}

function notHeld(accountNo: string, account: LedgerAccount | undefined, { missing, asOf }: Lack): Failure {
  const first = missing[0]?.startDate.toString() ?? "";
  const isClosed = account !== undefined && account.closure !== null;
  const way = isClosed
    ? "The account is closed: the service gives these days no longer."
    : `${readFirst(account !== undefined && wasServiceBehind(account, missing))}: partner ledger sync ${accountNo} --start-date ${first}`;
  return new Failure("mismatch", `The ledger lacks days of ${accountNo}: ${describeDays(missing)}.`, {
    hint: lackHint(asOf, way),
  });
}
