import type { Row } from "../../../report/report.ts";
import type { Field } from "../../../values/field.ts";
import type { Reconciliation } from "../reconciliation.ts";
import type { Finding } from "../result/result.ts";

/** Rows that are made at a time. */
const batchRows = 500;

/** What a person fills in, and what the row is that it is about. */
export const exceptionFields = [
  { name: "statementRow", kind: "count" },
  { name: "bookLine", kind: "count" },
  { name: "decision", kind: "id" },
  { name: "by", kind: "text" },
  { name: "note", kind: "text" },
  { name: "class", kind: "id" },
  { name: "reference", kind: "id" },
  { name: "statementAmount", kind: "amount" },
  { name: "bookAmount", kind: "amount" },
  { name: "difference", kind: "amount" },
  { name: "date", kind: "time" },
  { name: "narration", kind: "text" },
  { name: "counterparty", kind: "text" },
  { name: "why", kind: "text" },
] as const satisfies readonly Field[];

/** The open rows; of what is ambiguous, the candidates in the statement, too. */
export function* exceptionRows(reconciliation: Reconciliation): Generator<readonly Row[]> {
  const names = new Set(reconciliation.exceptions.map((total) => total.class));
  let batch: Row[] = [];
  for (const finding of exceptionsIn(reconciliation)) {
    if (!names.has(finding.class) || reconciliation.isAllowed(finding)) continue;
    const row = reconciliation.row(finding);
    const { rows, entries } = finding;
    batch.push({
      ...row,
      // Where several rows are one, the number is that of the first, and the amount that of all.
      statementAmount: rows === undefined ? row["statementAmount"] : null,
      bookAmount: entries === undefined ? row["bookAmount"] : null,
      why: row["note"],
      decision: null,
      by: null,
      note: null,
    });
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function* exceptionsIn({ result }: Reconciliation): Generator<Finding> {
  yield* result.findings();
  for (const row of result.namedRows()) yield { class: "ambiguous", row, entry: undefined };
}
