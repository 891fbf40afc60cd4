import type { JsonObject } from "../values/json.ts";
import type { Decimal } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";
import type { Period } from "../values/time/period.ts";
import type { OuterBalances } from "./booked-ends.ts";
import type { CurveSlice } from "./chart/balance-curve.ts";
import { BalanceCurve } from "./chart/balance-curve.ts";
import { plotColumns, sparkline, terminalChart } from "./chart/terminal-chart.ts";
import type { Measure } from "./check.ts";
import type { Entry } from "./entry.ts";
import { StatementTotals } from "./formats/totals.ts";

/** How the balance is drawn under a table: as a chart, in one line, or not at all. */
export interface SummaryView {
  readonly drawn: "chart" | "line" | undefined;
  /** Without characters beyond ASCII. */
  readonly ascii: boolean;
  /** Characters in a line. */
  readonly width: number;
}

interface SummaryOf {
  readonly period: Period;
  /** Where the rows do not name it. */
  readonly currency: string | undefined;
  /** The account's unchanged balance, where there are no rows and it is known. */
  readonly held?: Decimal | undefined;
}

const nameColumns = "opening  ".length;
const lineMaxColumns = 40;

/** The lines under the table of a statement: opening and closing balance, totals, and a curve of the balance. */
export class StatementSummary implements Measure {
  readonly #of: SummaryOf;
  readonly #view: SummaryView;
  readonly #totals = new StatementTotals();
  readonly #curve: BalanceCurve;

  constructor(of: SummaryOf, view: SummaryView) {
    this.#of = of;
    this.#view = view;
    const lineColumns = Math.max(1, Math.min(lineMaxColumns, view.width - nameColumns));
    this.#curve = new BalanceCurve(of.period, view.drawn === "chart" ? plotColumns(view) : lineColumns);
  }

  look(entry: Entry, day: string | undefined, row: JsonObject): void {
    this.#totals.look(entry, day, row);
    if (entry.balance) this.#curve.look(entry.valueDate, entry.balance);
  }

  /**
   * To be called after the last row. No lines where amounts cannot be added up (two currencies, or not numbers), or a
   * row has no day.
   * @param booked the balances at both ends, where rows are in another order than they were booked
   */
  lines(newestFirst: boolean, booked?: OuterBalances): readonly string[] {
    if ((this.#totals.unfit ?? this.#totals.undated) !== undefined) return [];
    const ends = booked ?? this.#totals.ends(newestFirst);
    return [...this.#sums(ends), ...this.#drawing(this.#curve.slices(ends?.opening, newestFirst))];
  }

  #sums(rowEnds: OuterBalances | undefined): readonly string[] {
    const { credits, debits, currency } = this.#totals;
    const { held } = this.#of;
    const ends = rowEnds ?? (held && { opening: held, closing: held });
    const unit = currency || (this.#of.currency ?? "");
    const sums = [
      ["opening", ends?.opening],
      ["credits", credits],
      ["debits", debits],
      ["closing", ends?.closing],
    ] as const;
    const shown = sums.flatMap(([name, sum]) => (sum ? [{ name, amount: formatMoney(sum, unit) }] : []));
    const width = Math.max(...shown.map(({ amount }) => amount.length));
    return shown.map(({ name, amount }) => `${name.padEnd(nameColumns)}${unit && `${unit} `}${amount.padStart(width)}`);
  }

  #drawing(slices: readonly CurveSlice[]): readonly string[] {
    const { drawn } = this.#view;
    if (drawn === undefined || slices.length === 0) return [];
    if (drawn === "chart") return ["", ...terminalChart(slices, this.#of.period, this.#view)];
    return this.#view.ascii ? [] : [`${"balance".padEnd(nameColumns)}${sparkline(slices)}`];
  }
}
