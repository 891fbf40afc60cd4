import { describeDiscrepancy } from "../discrepancy.ts";
import type { StatementSums } from "./rows/statement-intake.ts";

/** What follows "the statement": `adds up`, or that it does not and the first row that breaks it. */
export function sumsInWords({ addsUp, discrepancy }: Pick<StatementSums, "addsUp" | "discrepancy">): string {
  return addsUp
    ? "adds up"
    : `does not add up${discrepancy === undefined ? "" : `: ${describeDiscrepancy(discrepancy)}`}`;
}
