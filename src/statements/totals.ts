import { amountOf } from "../values/money/amount.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import { formatMoney } from "../values/money/money.ts";
import { textIn } from "./entry.ts";

/** The total of a currency's wallets, and how many of them have an invalid balance. */
interface Total {
  sum: Decimal;
  counted: number;
  invalid: number;
}

/** A line for each currency with the total of its wallets. Invalid balances are counted in a line of their own. */
export function totalsOf(wallets: readonly JsonObject[]): string[] {
  const totals = new Map<string, Total>();
  for (const wallet of wallets) {
    const currency = textIn(wallet, "currency");
    const total = totals.get(currency) ?? { sum: Decimal.zero, counted: 0, invalid: 0 };
    const balance = amountOf(wallet["balance"]);
    if (balance) total.sum = total.sum.add(balance);
    if (balance) total.counted += 1;
    if (balance === undefined) total.invalid += 1;
    totals.set(currency, total);
  }
  const sorted = [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...sorted
      .filter(([, { counted }]) => counted > 0)
      .map(([currency, { sum }]) => `total ${nameOf(currency)} ${formatMoney(sum, currency)}`),
    ...sorted.filter(([, { invalid }]) => invalid > 0).map(([currency, { invalid }]) => uncounted(currency, invalid)),
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
