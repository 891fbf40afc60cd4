import type { Rows } from "../contract/endpoint.ts";
import type { RowsReport } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import type { Period } from "../values/time/period.ts";
import { describePeriod } from "../values/time/period.ts";
import { StatementCheck } from "./check.ts";
import type { EntryShape } from "./entry.ts";
import type { StatementSummary } from "./statement-summary.ts";

export interface StatementInWords {
  readonly accountNo: string;
  readonly period: Period;
  readonly columns: readonly Field[];
  readonly shape: EntryShape;
  /** Where the rows do not name it. */
  readonly currency?: string | undefined;
  /** True ends with a mismatch where the statement does not add up. */
  readonly strict: boolean;
  /** The lines under a table; machine formats have none. */
  readonly summary?: StatementSummary | undefined;
  /** True to show the summary without rows, too. */
  readonly summarisesNothing?: boolean | undefined;
}

/** A statement that says under its rows whether they add up. */
export function statementReport(rows: Rows, words: StatementInWords): RowsReport {
  const check = new StatementCheck(words.shape, words.period);
  const { summary } = words;
  return {
    shape: "rows",
    columns: words.columns,
    rows: check.watch(rows, summary && [summary]),
    whenEmpty: `Nothing moved through ${words.accountNo} ${when(words.period)}.`,
    currency: words.currency,
    footer: summary && (() => summary.lines(check.isNewestFirst, check.bookedEnds)),
    hasFooterWhenEmpty: words.summarisesNothing,
    findings: () => ({ notes: [check.summary()], failure: words.strict ? check.mismatch() : undefined }),
  };
}

function when(period: Period): string {
  const isOneDay = period.startDate.compare(period.endDate) === 0;
  return `${isOneDay ? "on" : "from"} ${describePeriod(period)}`;
}
