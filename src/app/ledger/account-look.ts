import type { AlteredRow, Chain, Ledger, LedgerAccount, LedgerChange } from "../../ledger/ledger.ts";
import { Failure } from "../../values/failure.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { saidBalances } from "../statements/said-balances.ts";
import type { Session } from "../session.ts";
import { saysMissing } from "./account-closure.ts";
import type { ServiceAccount } from "./ledger-accounts.ts";
import { accountsOf } from "./ledger-accounts.ts";
import { currencyIn, otherCurrency } from "./other-currency.ts";

/** An account as the ledger has it, with its balance at the service. */
export interface AccountLook {
  readonly accountNo: string;
  /** Undefined where nothing names it. */
  readonly currency: string | undefined;
  readonly account: LedgerAccount | undefined;
  readonly chain: Chain | undefined;
  readonly altered: AlteredRow | undefined;
  readonly balances: readonly Decimal[];
  /** True where its closure was accepted and the service does not have it: `balances` is that of the last sync. */
  readonly isClosed: boolean;
  /** What contradicts the currency of its rows, in words. */
  readonly otherCurrency: string | undefined;
  readonly late: number;
  readonly changed: number;
}

/**
 * Every account, as the ledger and the service have it now.
 * @throws {Failure} setup | refused | unavailable
 */
export async function lookAt(session: Session, ledger: Ledger, scope: string): Promise<readonly AccountLook[]> {
  const held = await ledger.accounts(scope);
  const changes = await ledger.changes({ scope });
  const looks: AccountLook[] = [];
  for (const wanted of await accountsOf(session, [], held)) {
    const { accountNo, currency, source } = wanted;
    const account = held.find((known) => known.accountNo === accountNo && known.kind === source.accountKind);
    looks.push({
      accountNo,
      currency: account?.currency ?? currency,
      account,
      chain: account && (await ledger.chain(account)),
      altered: account && (await ledger.altered(account)),
      ...(await balancesNow(session, wanted, account)),
      ...countsOf(changes, account),
    });
  }
  return looks;
}

/**
 * What the ledger knew at `asOf` (milliseconds since 1970 UTC). An account that was first synced later was not proved
 * then.
 */
export async function lookBack(ledger: Ledger, scope: string, asOf: number): Promise<readonly AccountLook[]> {
  const changes = await ledger.changes({ scope, asOf });
  const looks: AccountLook[] = [];
  const then = await ledger.accounts(scope, asOf);
  // Before the first sync nothing was proved, and every account is named. Otherwise an account that came later is left
  // out.
  if (then.length === 0)
    for (const { accountNo, currency } of await ledger.accounts(scope)) looks.push({ ...notHeld, accountNo, currency });
  for (const account of then) {
    looks.push({
      accountNo: account.accountNo,
      currency: account.currency,
      account,
      chain: await ledger.chain(account, asOf),
      altered: await ledger.altered(account),
      balances: liveAtSync(account),
      isClosed: account.closure !== null,
      otherCurrency: undefined,
      ...countsOf(changes, account),
    });
  }
  return looks;
}

const notHeld = {
  account: undefined,
  chain: undefined,
  altered: undefined,
  balances: [],
  isClosed: false,
  otherCurrency: undefined,
  late: 0,
  changed: 0,
} as const;

function countsOf(changes: readonly LedgerChange[], account: LedgerAccount | undefined) {
  const own = changes.filter((change) => change.account.number === account?.number);
  const late = own.filter(({ kind }) => kind === "late").length;
  return { late, changed: own.length - late };
}

/** An account that the service no longer has gives no balance to compare; neither does one in another currency. */
async function balancesNow(
  { service }: Session,
  { accountNo, currency, source, isListed, listed }: ServiceAccount,
  account: LedgerAccount | undefined,
): Promise<Pick<AccountLook, "balances" | "isClosed" | "otherCurrency">> {
  const held = { accountNo, currency: account?.currency ?? "" };
  const there = { isClosed: false, otherCurrency: undefined };
  const unlike = otherCurrency(held, currency);
  if (unlike !== undefined) return { ...there, balances: [], otherCurrency: unlike };
  try {
    const said = await service.read(source.balance, { accountNo });
    const words = otherCurrency(held, currencyIn(said));
    if (words !== undefined) return { ...there, balances: [], otherCurrency: words };
    const balances = saidBalances(said);
    return { ...there, balances: balances.length > 0 || listed === undefined ? balances : [listed] };
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== "refused") throw error;
    const isGone = !isListed && saysMissing(error, source);
    const isClosed = isGone && account !== undefined && account.closure !== null;
    return { ...there, isClosed, balances: isClosed ? liveAtSync(account) : [] };
  }
}

/** The balance that the last sync received. */
function liveAtSync({ live }: LedgerAccount): readonly Decimal[] {
  return live === null ? [] : [live];
}
