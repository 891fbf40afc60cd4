import { anyText, option } from "../cli/line/input.ts";
import type { RowsReport } from "../report/report.ts";
import type { RowFilter } from "../report/where/row-filter.ts";

/** The flag of lists to show some of their rows. */
export const whereFlag = {
  where: option({
    value: "EXPR",
    summary: "Only rows that match, such as 'amount>=50000': partner help where",
    read: anyText,
  }),
} as const;

/**
 * The filter of a list, where a condition is given; its code is loaded only then.
 * @throws {Failure} usage where it makes no sense
 */
export async function rowFilter(
  where: string | undefined,
  columns: RowsReport["columns"],
): Promise<RowFilter | undefined> {
  if (where === undefined) return undefined;
  const { readFilter } = await import("../report/where/row-filter.ts");
  return readFilter(where, columns, "--where");
}
