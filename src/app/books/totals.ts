import type { Cash } from "../../books/cash.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { figureLines } from "../../report/terminal/fitted-lines.ts";
import { formatMoney } from "../../values/money/money.ts";

/**
 * A line for each currency: what all accounts of it held and moved together, over the whole period. On a terminal that is
 * too narrow for one of them, each figure has a line of its own.
 */
export function totalLines(cash: readonly Cash[], width: number | undefined): readonly string[] {
  const accounts = [...Map.groupBy(cash, ({ account }) => account.number).values()];
  const byCurrency = Map.groupBy(accounts, ([first]) => first?.account.currency ?? "");
  const totals = [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, all]) => {
      const sum = (amounts: readonly (Decimal | undefined)[]) =>
        formatMoney(
          amounts.reduce<Decimal>((total, amount) => total.add(amount ?? Decimal.zero), Decimal.zero),
          currency === "" ? undefined : currency,
        );
      const rows = all.flat();
      const figures = [
        ["opening", sum(all.map((each) => each[0]?.opening))],
        ["in", sum(rows.map((row) => row.in))],
        ["out", sum(rows.map((row) => row.out))],
        ["fees", sum(rows.map((row) => row.fees))],
        ["closing", sum(all.map((each) => each.at(-1)?.closing))],
      ];
      return { name: `total ${currency === "" ? "without a currency" : currency}`, figures };
    });
  const lines = totals.map(({ name, figures }) => `${name}: ${figures.map((figure) => figure.join(" ")).join(", ")}`);
  if (width === undefined || lines.every((line) => line.length <= width)) return lines;
  return totals.flatMap(({ name, figures }) => [name, ...figureLines(figures, width).map((line) => `  ${line}`)]);
}
