import { firstAmount, requestText, operatorCurrencies } from "../../journal/requests/movement-request.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { countryOf } from "../kinds/channels.ts";
import type { MoneyOrder } from "../order.ts";

/** An amount with its currency; undefined where the wallet's currency is not known. */
export interface OrderAmount {
  readonly amount: Decimal;
  readonly currency: string | undefined;
}

/** The wallets of the account by their numbers; undefined where the list is not available. */
export type WalletIndex = ReadonlyMap<string, JsonObject> | undefined;

export function indexWallets(wallets: readonly JsonObject[] | undefined): WalletIndex {
  return wallets && new Map(wallets.map((wallet) => [requestText(wallet, "accountNo") ?? "", wallet]));
}

/**
 * The amount of an order, in the currency of the request or of the paying wallet. A collection by an unknown channel
 * counts in the currency of the number's country.
 */
export function orderAmountOf({ kind, input }: MoneyOrder, wallets: WalletIndex): OrderAmount {
  const { amount = Decimal.zero, currency, wallet } = firstAmount(kind, input) ?? {};
  if (currency !== undefined) return { amount, currency };
  if (wallet !== undefined) return { amount, currency: currencyOf(wallet, wallets) };
  const [channel = "", msisdn = ""] = [requestText(input, "channel"), requestText(input, "msisdn")];
  return { amount, currency: operatorCurrencies[countryOf(channel, msisdn)] };
}

/** The currency of a wallet; undefined where it is not known. */
export function currencyOf(accountNo: string, wallets: WalletIndex): string | undefined {
  return requestText(wallets?.get(accountNo) ?? {}, "currency");
}

/** Counts rows and sums amounts by currency, in order of first occurrence. */
export class Tally {
  count = 0;
  readonly #totals = new Map<string | undefined, Decimal>();

  add({ amount, currency }: OrderAmount): void {
    this.count += 1;
    this.#totals.set(currency, (this.#totals.get(currency) ?? Decimal.zero).add(amount));
  }

  get totals(): readonly OrderAmount[] {
    return [...this.#totals].map(([currency, amount]) => ({ currency, amount }));
  }
}
