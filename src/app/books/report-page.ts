import { pageOpening, shown, termList } from "../../statements/formats/page.ts";
import { describePeriod } from "../../values/time/period.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { barChart, barStyle } from "./bar-chart.ts";
import { barsOf } from "./bars.ts";
import type { AskedReport, Figures } from "./figures.ts";
import { pageTable, tableStyle } from "./page-table.ts";
import type { ReportName } from "./report-flags.ts";

const titles: Readonly<Record<ReportName, string>> = {
  cash: "Cash",
  flow: "Flow",
  fees: "Fees",
  customers: "Customers",
  open: "Open items",
  compare: "Two months compared",
};

/** A report as one self-contained page, to read, to print and to file. */
export function reportPage(
  { name, periods, flags }: AskedReport,
  figures: Figures,
  problems: readonly string[],
  whenEmpty: string,
): string {
  const { columns, rows, footer, accepted, syncedAt } = figures;
  const period = periods.map((each) => describePeriod(each)).join(", and ");
  const title = `${titles[name]}, ${period}`;
  const charts = flags.rows ? [] : barsOf(name, rows).map(barChart);
  const verdict = problems.map((problem) => `<p class="verdict wrong">${shown(problem)}</p>\n`).join("");
  const explained = accepted.map((words) => `<p>${shown(words)}</p>\n`).join("");
  const facts = termList("facts", [
    ...(name === "open" ? [] : [["Period", period]]),
    ...(syncedAt === undefined ? [] : [["From the ledger, as of", wallTime(syncedAt)]]),
    ...(flags.account === undefined ? [] : [["Accounts", flags.account.join(", ")]]),
  ]);
  return `${pageOpening({ title, kind: "Report", heading: titles[name], style: tableStyle + barStyle })}
${verdict}${explained}${facts}
</header>
${charts.join("")}${pageTable({ columns, rows, whenEmpty })}${footer(new Set(rows))
    .map((line) => `<p>${shown(line)}</p>\n`)
    .join("")}</body>
</html>
`;
}
