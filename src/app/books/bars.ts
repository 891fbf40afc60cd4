import type { Row } from "../../report/report.ts";
import { textOf } from "../../report/cell.ts";
import { pad } from "../../report/terminal/cut-text.ts";
import { widthOf } from "../../report/terminal/text-width.ts";
import { visible } from "../../values/text/text.ts";
import type { ReportName } from "./report-flags.ts";

const barMaxChars = 40;
/** A longest bar gets no shorter than this, however narrow the terminal. */
const barMinChars = 4;
/** The blanks and the sign between a label and its bar. */
const besideBar = 3;
/** More bars than these are no picture any more. */
const barsMaxCount = 100;

/** What a bar is as long as, and what is written beside it. */
const measures: Readonly<Record<ReportName, { readonly value: string; readonly labels: readonly string[] }>> = {
  cash: { value: "closing", labels: ["period", "account"] },
  flow: { value: "net", labels: ["period", "kind", "currency"] },
  fees: { value: "sum", labels: ["period", "account", "kind"] },
  customers: { value: "sum", labels: ["period", "name", "number"] },
  open: { value: "amount", labels: ["reference"] },
  compare: { value: "difference", labels: ["account", "figure"] },
};

/** A bar for each row, to compare sizes; the table has the exact figures. */
export function bars(name: ReportName, rows: readonly Row[], columns = Infinity): readonly string[] {
  const { value, labels } = measures[name];
  const shown = rows.slice(0, barsMaxCount).map((row) => ({
    label: visible(
      labels
        .map((label) => textOf(row[label]))
        .filter((text) => text !== "")
        .join(" "),
    ),
    size: Number(textOf(row[value])),
  }));
  const largest = Math.max(0, ...shown.map(({ size }) => Math.abs(size)));
  const width = Math.max(0, ...shown.map(({ label }) => widthOf(label)));
  if (largest === 0) return [];
  const room = Math.min(barMaxChars, Math.max(barMinChars, columns - width - besideBar));
  return [
    "",
    `${value}:`,
    ...shown.map(({ label, size }) => {
      const bar = (size < 0 ? "░" : "█").repeat(Math.round((Math.abs(size) / largest) * room));
      return `${pad(label, width, "left")}  ${size < 0 ? "-" : " "}${bar}`.trimEnd();
    }),
  ];
}
