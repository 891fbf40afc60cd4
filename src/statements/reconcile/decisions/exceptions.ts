import type { Row } from "../../../report/report.ts";
import type { Field } from "../../../values/field.ts";
import type { Reconciliation } from "../reconciliation.ts";
import type { ResultRow } from "../result/result.ts";

/** Rows in a batch. */
const batchRows = 500;

/** The columns that a person fills in, and those that describe the row. */
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

/** The open rows, a line for each pair; for ambiguous ones, the candidates in the statement, too. */
export function* exceptionRows(reconciliation: Reconciliation): Generator<readonly Row[]> {
  const names = new Set(reconciliation.exceptions.map((total) => total.class));
  let batch: Row[] = [];
  for (const finding of exceptionsIn(reconciliation)) {
    if (!names.has(finding.class) || reconciliation.isAllowed(finding)) continue;
    batch.push(...linesOf(reconciliation, finding));
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Several rows that make up one of the other side have a line each, with their own number and amount. */
function linesOf(reconciliation: Reconciliation, finding: ResultRow): readonly Row[] {
  const whole = reconciliation.row(finding);
  const open = { ...whole, why: whole["note"], decision: null, by: null, note: null };
  const { class: name, row, entry, rows, entries } = finding;
  if (rows === undefined && entries === undefined) return [open];
  const pairs = (rows ?? [row]).flatMap((one) => (entries ?? [entry]).map((other) => ({ row: one, entry: other })));
  return pairs.map((pair) => {
    const { statementRow, bookLine, statementAmount, bookAmount, reference, date } = reconciliation.row({
      class: name,
      ...pair,
    });
    return { ...open, statementRow, bookLine, statementAmount, bookAmount, reference, date, difference: null };
  });
}

function* exceptionsIn({ result }: Reconciliation): Generator<ResultRow> {
  yield* result.findings();
  for (const row of result.namedRows()) yield { class: "ambiguous", row, entry: undefined };
}
