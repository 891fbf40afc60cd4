import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import type { BatchRowCounts } from "../../movements/batch/result.ts";
import type { Row, RowsReport } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import { countCells, countFields } from "../batch/counts.ts";
import { submittedRow } from "./submitted-report.ts";

const columns = [
  { name: "batch", kind: "id", role: "what" },
  { name: "file", kind: "text", role: "what" },
  { name: "rows", kind: "count", role: "detail" },
  ...countFields,
  { name: "submittedBy", kind: "id", title: "submitted by", role: "who" },
  { name: "decidedBy", kind: "id", title: "approved by", role: "detail" },
] as const;

/** Endings of batches, the gravest last; all others come before these. */
const gravity = ["setup", "incomplete", "unknown"] as const;

/** The row of an approved batch: who submitted and decided, and how many of its rows are in each state. */
export function approvedRow(submitted: SubmittedBatch, counts: BatchRowCounts): Row {
  const { batch, file, rows, submittedBy, decidedBy } = submittedRow(submitted);
  return { batch, file, rows, ...countCells(counts), submittedBy, decidedBy };
}

/** @param ending of all batches; called after the last row */
export function approvedReport(rows: RowsReport["rows"], ending: () => Failure | undefined): RowsReport {
  return {
    shape: "rows",
    columns,
    rows,
    whenEmpty: "Nothing that is approved is left to do.",
    mustShow: true,
    findings: () => ({ notes: [], carried: ending() }),
    happened: "What was sent stays sent. See the batches: partner batch list",
  };
}

/** The failure of a batch that ran after others: it must not say that the whole run moved no money. */
export function afterOthers(failure: Failure): Failure {
  const { ending, message, hint, requestId, http, reason, details, reference, signal } = failure;
  const isOfRun = failure.money === "not moved" || failure.ending === "setup";
  const money = isOfRun ? "none" : failure.money;
  const known = { hint, requestId, http, reason, details, reference, signal };
  return new Failure(ending, message, { ...known, money, cause: failure });
}

/** The gravest of several endings. */
export function gravest(endings: readonly (Failure | undefined)[]): Failure | undefined {
  const all = endings.filter((ending) => ending !== undefined);
  return all.toSorted((one, other) => rankOf(other) - rankOf(one))[0];
}

function rankOf({ ending }: Failure): number {
  return gravity.findIndex((word) => word === ending);
}

/** The failure where the database has lost rows: they are not counted, so the batch would look complete. */
export function rowsMissing({ id, rowCount }: SubmittedBatch, { total }: BatchRowCounts): Failure | undefined {
  if (total === rowCount) return undefined;
  return new Failure("setup", `The shared journal knows ${total} of the ${rowCount} rows of batch ${id}.`, {
    hint: `It is not as it was submitted: have the database's administrator look into it. The rows of its file: partner batch report ${id}`,
  });
}
