import { option } from "../cli/line/input.ts";
import type { RowsReport } from "../report/report.ts";
import type { Condition } from "../report/where/condition.ts";
import { parseCondition } from "../report/where/condition.ts";
import { RowFilter } from "../report/where/row-filter.ts";

const flag = "--where";

/** What lists take to show some of their rows. */
export const whereFlag = {
  where: option({
    value: "EXPR",
    summary: "Only rows that match, such as 'amount>=50000': partner help where",
    read: parseCondition,
  }),
} as const;

/**
 * The rows of a list that match; all of them without a condition.
 * @throws {Failure} usage where an amount is compared with what is none
 */
export function chosenRows(report: RowsReport, where: Condition | undefined): RowsReport {
  return where === undefined ? report : new RowFilter(where, report.columns, flag).chosen(report);
}

/** The same for rows that are chosen while they are made. */
export function rowFilter(where: Condition | undefined, columns: RowsReport["columns"]): RowFilter | undefined {
  return where && new RowFilter(where, columns, flag);
}
