import type { Cash } from "../../books/cash.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { figureLines } from "../../report/terminal/fitted-lines.ts";
import { formatMoney } from "../../values/money/money.ts";

/**
 * A line for each currency: the total balances and movements of the accounts that are shown. Where intervals of an
 * account are left out, its balances do not add up, and the line has only what moved. On a terminal that is too narrow
 * for a line, each figure has a line of its own.
 */
export function totalLines(
  cash: readonly Cash[],
  isShown: (each: Cash, index: number) => boolean,
  width: number | undefined,
): readonly string[] {
  const shown = cash.filter(isShown);
  const held = Map.groupBy(cash, ({ account }) => account.number);
  const accounts = [...Map.groupBy(shown, ({ account }) => account.number).values()];
  const isWhole = (intervals: readonly Cash[]) =>
    intervals.length === held.get(intervals[0]?.account.number ?? 0)?.length;
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
      const moved = [
        ["in", sum(rows.map((row) => row.in))],
        ["out", sum(rows.map((row) => row.out))],
        ["fees", sum(rows.map((row) => row.fees))],
      ];
      const opening = ["opening", sum(all.map((each) => each[0]?.opening))];
      const closing = ["closing", sum(all.map((each) => each.at(-1)?.closing))];
      const figures = all.every(isWhole) ? [opening, ...moved, closing] : moved;
      return { name: `total ${currency === "" ? "without a currency" : currency}`, figures };
    });
  const lines = totals.map(({ name, figures }) => `${name}: ${figures.map((figure) => figure.join(" ")).join(", ")}`);
  if (width === undefined || lines.every((line) => line.length <= width)) return lines;
  return totals.flatMap(({ name, figures }) => [name, ...figureLines(figures, width).map((line) => `  ${line}`)]);
}
