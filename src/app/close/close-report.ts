import type { Findings, Row, RowsReport } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";
import { Failure } from "../../values/failure.ts";
import { Numeral } from "../../values/json.ts";
import { cashColumns, cashRow } from "../books/columns.ts";
import type { Proof } from "./proofs.ts";

/** The result of a close: a row for each account, and problems. */
export interface CloseReport extends RowsReport {
  readonly columns: readonly Field[];
  readonly rows: readonly Row[];
  readonly findings: () => Findings;
}

/** Why a close doesn't end with 0. */
export interface Mismatches {
  readonly problems: readonly string[];
  /** What has changed since the month was closed last, in its rows or its folder. */
  readonly changed: readonly string[];
  /** Where to look at it; undefined where nothing was written. */
  readonly written: string | undefined;
}

export function closeReport(proofs: readonly Proof[], notes: readonly string[], mismatches: Mismatches): CloseReport {
  const carried = mismatchOf(mismatches);
  return {
    shape: "rows",
    columns: [
      ...cashColumns,
      { name: "state", kind: "text", role: "state" },
      { name: "note", kind: "text", role: "what", whole: true },
    ],
    rows: proofs.map(({ cash, problems: own, accepted }) => ({
      ...cashRow(cash),
      rows: Numeral.of(cash.rows),
      state: own.length === 0 ? "proved" : "open",
      note: [...own, ...accepted].join("; "),
    })),
    whenEmpty: "The account has no wallets, and the ledger holds no account.",
    findings: () => ({ notes, carried }),
  };
}

function mismatchOf({ problems, changed, written }: Mismatches): Failure | undefined {
  if (problems.length > 0)
    return new Failure("mismatch", ["Not every proof holds.", ...problems, ...changed].join(" "), {
      hint:
        written === undefined
          ? "Look at each, and close the month again."
          : `Look at each: ${written}. Then close the month again.`,
    });
  if (changed.length === 0) return undefined;
  return new Failure("mismatch", changed.join(" "), {
    hint:
      written !== undefined
        ? "Look at what changed. The month is closed again, and closing it once more ends with 0."
        : "Look at what changed. Then close the month without --check and --strict.",
  });
}
