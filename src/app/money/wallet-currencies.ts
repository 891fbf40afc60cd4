import { listWallets } from "../../contract/wallets.ts";
import { currencyOf, indexWallets } from "../../movements/batch/order-amount.ts";
import type { CurrencyOfWallet } from "../../movements/guards/limits.ts";
import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/**
 * Asks the service once which currency each wallet has, for limits that name one. Without an answer no such limit can
 * be checked, so nothing is sent.
 */
export function walletCurrencies(session: Session): () => Promise<CurrencyOfWallet> {
  let asked: Promise<CurrencyOfWallet> | undefined;
  const ask = async () => {
    const wallets = indexWallets(await session.service.read(listWallets, {}));
    return (accountNo: string) => currencyOf(accountNo, wallets);
  };
  return () =>
    (asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw explained(error);
    }));
}

/** @returns the failure, with what it means for the order */
export function explained(error: unknown): unknown {
  if (!(error instanceof Failure) || error.ending === "interrupted") return error;
  const { ending, message, hint, requestId, http, reason, details } = error;
  const why = `${message} A limit of the profile names a currency, and those of the wallets are not known; nothing was sent.`;
  return new Failure(ending, why, { hint, requestId, http, reason, details, money: "not moved", cause: error });
}
