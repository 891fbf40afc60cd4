import type { Cash } from "../../books/cash.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { formatMoney } from "../../values/money/money.ts";

/** A line for each currency: what all accounts of it held and moved together, over the whole period. */
export function totalLines(cash: readonly Cash[]): readonly string[] {
  const accounts = [...Map.groupBy(cash, ({ account }) => account.number).values()];
  const byCurrency = Map.groupBy(accounts, ([first]) => first?.account.currency ?? "");
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, all]) => {
      const sum = (amounts: readonly (Decimal | undefined)[]) =>
        formatMoney(
          amounts.reduce<Decimal>((total, amount) => total.add(amount ?? Decimal.zero), Decimal.zero),
          currency === "" ? undefined : currency,
        );
      const rows = all.flat();
      const parts = [
        `opening ${sum(all.map((each) => each[0]?.opening))}`,
        `in ${sum(rows.map((row) => row.in))}`,
        `out ${sum(rows.map((row) => row.out))}`,
        `fees ${sum(rows.map((row) => row.fees))}`,
        `closing ${sum(all.map((each) => each.at(-1)?.closing))}`,
      ];
      return `total ${currency === "" ? "without a currency" : currency}: ${parts.join(", ")}`;
    });
}
