import { amountOf } from "../values/amount.ts";
import { Decimal } from "../values/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { formatMoney } from "../values/money.ts";
import { textIn } from "./entry.ts";

/** A line for each currency: what all wallets of it hold together. */
export function totalsOf(wallets: readonly JsonObject[]): string[] {
  const totals = new Map<string, Decimal>();
  for (const wallet of wallets) {
    const currency = textIn(wallet, "currency");
    const balance = amountOf(wallet["balance"]);
    if (balance) totals.set(currency, (totals.get(currency) ?? Decimal.zero).add(balance));
  }
  return [...totals]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([currency, total]) =>
        `total ${currency === "" ? "without a currency" : currency} ${formatMoney(total, currency)}`,
    );
}
