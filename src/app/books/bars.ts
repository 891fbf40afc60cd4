import type { Row } from "../../report/report.ts";
import { textOf } from "../../report/cell.ts";
import { pad } from "../../report/terminal/cut-text.ts";
import { widthOf } from "../../report/terminal/text-width.ts";
import { currencyOf, shownText } from "../../report/table/table-cell.ts";
import { visible } from "../../values/text/text.ts";
import type { ReportName } from "./report-flags.ts";

const barMaxChars = 40;
/** The longest bar has at least this length, however narrow the terminal. */
const barMinChars = 4;
/** The spaces and the sign between a label and its bar. */
const besideBar = 3;
/** More bars than this are too many to compare. */
const barsMaxCount = 100;

/** The columns that give the length of a bar and the words beside it. */
const measures: Readonly<Record<ReportName, { readonly value: string; readonly labels: readonly string[] }>> = {
  cash: { value: "closing", labels: ["profile", "period", "account"] },
  flow: { value: "net", labels: ["profile", "period", "kind", "currency"] },
  fees: { value: "sum", labels: ["profile", "period", "account", "kind"] },
  customers: { value: "sum", labels: ["profile", "period", "name", "number"] },
  open: { value: "amount", labels: ["profile", "reference"] },
  compare: { value: "difference", labels: ["profile", "account", "figure"] },
};

/** What a row is drawn as. */
export interface Bar {
  readonly label: string;
  /** Near enough for a drawing; a table has the exact figures. */
  readonly size: number;
  /** The amount in digits, with its currency. */
  readonly text: string;
}

/** Bars on one axis, all in one currency: shillings and dollars can't be compared. */
export interface Bars {
  /** What their length shows. */
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The first hundred rows as bars, those of each currency together. */
export function barsOf(name: ReportName, rows: readonly Row[]): readonly Bars[] {
  const { value, labels } = measures[name];
  const groups = Map.groupBy(rows.slice(0, barsMaxCount), (row) => currencyOf(row) ?? "");
  return [...groups].map(([currency, own]) => ({
    title: groups.size === 1 ? value : `${value}${currency === "" ? "" : `, ${currency}`}`,
    bars: own.map((row) => {
      const words = labels.map((label) => textOf(row[label])).filter((text) => text !== "");
      const amount = shownText(row[value], { name: value, kind: "amount" }, currency === "" ? undefined : currency);
      return {
        label: visible(words.join(" ")),
        size: Number(textOf(row[value])),
        text: `${amount} ${currency}`.trimEnd(),
      };
    }),
  }));
}

/** A bar for each row, to compare sizes; the table has the exact figures. */
export function barLines(name: ReportName, rows: readonly Row[], columns = Infinity): readonly string[] {
  return barsOf(name, rows).flatMap((bars) => linesOf(bars, columns));
}

function linesOf({ title, bars }: Bars, columns: number): readonly string[] {
  const largest = Math.max(0, ...bars.map(({ size }) => Math.abs(size)));
  const width = Math.max(0, ...bars.map(({ label }) => widthOf(label)));
  if (largest === 0) return [];
  const room = Math.min(barMaxChars, Math.max(barMinChars, columns - width - besideBar));
  return [
    "",
    `${title}:`,
    ...bars.map(({ label, size }) => {
      const bar = (size < 0 ? "░" : "█").repeat(Math.round((Math.abs(size) / largest) * room));
      return `${pad(label, width, "left")}  ${size < 0 ? "-" : " "}${bar}`.trimEnd();
    }),
  ];
}
