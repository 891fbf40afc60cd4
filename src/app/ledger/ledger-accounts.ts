import { listWallets } from "../../contract/wallets.ts";
import type { LedgerAccount } from "../../ledger/ledger.ts";
import { textIn } from "../../statements/entry.ts";
import { amountOf } from "../../values/money/amount.ts";
import { oneEditAway } from "../../values/text/closest.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { Session } from "../session.ts";
import type { StatementSource } from "../statements/statement-source.ts";
import { merchantSource, walletSource } from "../statements/statement-source.ts";

/** An account to sync or to show. */
export interface ServiceAccount {
  readonly accountNo: string;
  readonly source: StatementSource;
  /** Empty where the account has no name. */
  readonly name: string;
  readonly currency: string;
  /** True where the service's list of wallets has it. */
  readonly isListed: boolean;
  /** The balance in the list of wallets. */
  readonly listed: Decimal | undefined;
  /** The account that may have been meant, as a question, where no list has this one. */
  readonly meant?: string | undefined;
}

/**
 * The accounts that were named; without a name every wallet, and every merchant account that the ledger holds or that
 * has a nickname: the service has no list of those.
 * @throws {Failure} setup | refused | unavailable
 */
export async function accountsOf(
  session: Session,
  named: readonly string[],
  held: readonly LedgerAccount[],
): Promise<readonly ServiceAccount[]> {
  const merchants = held.filter(({ kind }) => kind === "merchant");
  const numbers = [...new Set(named)];
  const onlyMerchants =
    numbers.length > 0 && numbers.every((number) => merchants.some((each) => each.accountNo === number));
  const listed = onlyMerchants ? [] : await session.service.read(listWallets, {});
  const wallets = listed.flatMap((wallet): ServiceAccount[] => {
    const accountNo = textIn(wallet, "accountNo");
    if (accountNo === "") return [];
    const balance = amountOf(wallet["balance"]) ?? undefined;
    const [name, currency] = [textIn(wallet, "accountName"), textIn(wallet, "currency")];
    return [{ accountNo, source: walletSource, name, currency, isListed: true, listed: balance }];
  });
  const known = [
    ...wallets,
    ...held
      .filter(({ kind, accountNo }) => kind === "wallet" && !wallets.some((wallet) => wallet.accountNo === accountNo))
      .map((account) => heldAccount(account, walletSource)),
    ...merchants.map((account) => heldAccount(account, merchantSource)),
  ];
  const nicknamed = await nicknamedNumbers(session);
  const others = nicknamed.filter((number) => !known.some(({ accountNo }) => accountNo === number));
  if (numbers.length === 0) return [...known, ...others.map(unknownMerchant)];
  return numbers.flatMap((number) => {
    const same = known.filter(({ accountNo }) => accountNo === number);
    const meant = oneEditAway(number, new Set([...known.map(({ accountNo }) => accountNo), ...others]));
    return same.length > 0 ? same : [{ ...unknownMerchant(number), meant }];
  });
}

function unknownMerchant(accountNo: string): ServiceAccount {
  return { accountNo, source: merchantSource, name: "", currency: "", isListed: false, listed: undefined };
}

/** Accounts that have a name in the profile: those that are not wallets are merchant accounts. */
async function nicknamedNumbers(session: Session): Promise<readonly string[]> {
  const account = await session.account();
  return account.owner === undefined ? [] : [...new Set(account.nicknames().values())];
}

function heldAccount({ accountNo, name, currency }: LedgerAccount, source: StatementSource): ServiceAccount {
  return { accountNo, source, name, currency, isListed: false, listed: undefined };
}
