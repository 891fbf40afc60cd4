import { describeFlaw } from "../discrepancy.ts";
import type { Sums } from "./rows/statement-intake.ts";

/** What follows "the statement": `adds up`, or that it does not and the first row that breaks it. */
export function sumsInWords({ addsUp, flaw }: Pick<Sums, "addsUp" | "flaw">): string {
  return addsUp ? "adds up" : `does not add up${flaw === undefined ? "" : `: ${describeFlaw(flaw)}`}`;
}
