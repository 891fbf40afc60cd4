import { amountOf } from "../values/money/amount.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { formatMoney } from "../values/money/money.ts";
import { textIn } from "./entry.ts";

/** What the wallets of a currency hold together, and how many of them hold what isn't a valid amount. */
interface Total {
  sum: Decimal;
  counted: number;
  strange: number;
}

/** A line for each currency: what all wallets of it hold together. Balances that are no amount are owned up to. */
export function totalsOf(wallets: readonly JsonObject[]): string[] {
  const totals = new Map<string, Total>();
  for (const wallet of wallets) {
    const currency = textIn(wallet, "currency");
    const total = totals.get(currency) ?? { sum: Decimal.zero, counted: 0, strange: 0 };
    const balance = amountOf(wallet["balance"]);
    if (balance) total.sum = total.sum.add(balance);
    if (balance) total.counted += 1;
    if (balance === undefined) total.strange += 1;
    totals.set(currency, total);
  }
  const sorted = [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...sorted
      .filter(([, { counted }]) => counted > 0)
      .map(([currency, { sum }]) => `total ${nameOf(currency)} ${formatMoney(sum, currency)}`),
    ...sorted.filter(([, { strange }]) => strange > 0).map(([currency, { strange }]) => uncounted(currency, strange)),
  ];
}

function nameOf(currency: string): string {
  return currency === "" ? "without a currency" : currency;
}

function uncounted(currency: string, count: number): string {
  const where = currency === "" ? nameOf(currency) : `in ${currency}`;
  return count === 1
    ? `1 balance ${where} isn't a valid amount and is not counted`
    : `${count} balances ${where} aren't amounts and are not counted`;
}
