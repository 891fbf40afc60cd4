import type { BatchRowCounts } from "../../movements/batch/result.ts";
import { rowStates } from "../../movements/batch/result.ts";
import type { Row } from "../../report/report.ts";
import { Numeral } from "../../values/json.ts";

/** The columns with the number of a batch's rows in each state. */
export const countFields = rowStates.map((name) => ({ name, kind: "count", role: "state" }) as const);

/** The cells of these columns. */
export function countCells(counts: BatchRowCounts): Row {
  return Object.fromEntries(rowStates.map((state) => [state, Numeral.of(counts.of(state))]));
}

/** `117 accepted, 2 refused, 1 unknown`. */
export function describeCounts(counts: BatchRowCounts): string {
  const parts = rowStates.flatMap((state) => (counts.of(state) === 0 ? [] : [`${counts.of(state)} ${state}`]));
  return parts.join(", ") || "no rows";
}
