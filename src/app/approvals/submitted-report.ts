import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { wordsOfMissing } from "../../approvals/standing.ts";
import { describedBy } from "../../movements/approved-batch.ts";
import type { RecordReport, Row } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";

/** The columns of a submitted batch: what it is, its maker, and the decision. */
export const submittedFields = [
  { name: "batch", kind: "id", role: "what" },
  { name: "state", kind: "id", role: "state" },
  { name: "file", kind: "text", role: "what" },
  { name: "rows", kind: "count", role: "detail" },
  { name: "missing", kind: "text", role: "state" },
  { name: "submittedBy", kind: "id", title: "submitted by", role: "who" },
  { name: "submittedAt", kind: "time", title: "submitted at", role: "when", shortens: "minute" },
  { name: "decidedBy", kind: "id", title: "decided by", role: "detail" },
  { name: "decidedAt", kind: "time", title: "decided at", role: "when", machineOnly: true },
  { name: "reason", kind: "text", role: "what" },
  { name: "account", kind: "text", machineOnly: true },
  { name: "digest", kind: "id", machineOnly: true },
] as const satisfies readonly Field[];

/** The same fields, with the totals beside the number of rows. */
const addedUpFields = submittedFields.flatMap((field): Field[] =>
  field.name === "rows" ? [field, { name: "totals", kind: "text" }] : [field],
);

/** An unreadable batch is listed, too, so that a person can reject it. The name of a redacted one is gone. */
function fileOf(batch: SubmittedBatch): string | null {
  if (batch.isRedacted) return null;
  try {
    return describedBy(batch).file;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * A submitted batch as a row of these fields.
 * @param missing what it lacks, in words
 */
export function submittedRow(batch: SubmittedBatch, missing = wordsOfMissing): Row {
  const { id, state, rowCount, submittedBy, submittedAt, verdict, standing, scope, digest } = batch;
  return {
    batch: id,
    state,
    file: fileOf(batch),
    rows: Numeral.of(rowCount),
    missing: (standing !== undefined && (state === "submitted" || state === "expired") && missing(standing)) || null,
    submittedBy,
    submittedAt: isoDarEsSalaam(submittedAt),
    decidedBy: verdict?.by ?? null,
    decidedAt: verdict === undefined ? null : isoDarEsSalaam(verdict.at),
    reason: verdict?.reason ?? null,
    account: scope,
    digest,
  };
}

/**
 * The result of an action on a submitted batch.
 * @param totals the sums of its rows, where they were read
 */
export function submittedReport(batch: SubmittedBatch, note: string, totals?: JsonValue): RecordReport {
  const findings = () => ({ notes: [note] });
  const row = submittedRow(batch);
  if (totals === undefined) return { shape: "record", columns: submittedFields, record: row, findings };
  return { shape: "record", columns: addedUpFields, record: { ...row, totals }, findings };
}
