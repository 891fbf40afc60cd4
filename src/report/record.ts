import type { Field } from "../values/field.ts";
import { chooseFields, fieldsByName, fieldsIn, noSuchColumn, undocumentedNames } from "./columns.ts";
import { csvRenderer } from "./csv.ts";
import { jsonRecord } from "./json.ts";
import type { ReportOptions, View } from "./options.ts";
import { recordTable } from "./record-table.ts";
import type { RecordReport } from "./report.ts";

export interface RecordText {
  readonly text: string;
  /** What is to be said about it on stderr. */
  readonly notes: readonly string[];
}

/**
 * One thing in the format that was asked for. A column that it does not have is said and not a failure: the thing can
 * be a movement of money, which has to be shown.
 */
export async function recordText(report: RecordReport, options: ReportOptions, view: View): Promise<RecordText> {
  const documented = fieldsByName(report.columns);
  const everything = fieldsIn([report.record], documented);
  const missing = undocumentedNames(documented, { columns: options.columns }).filter(
    (name) => !Object.hasOwn(report.record, name),
  );
  return {
    text: await textIn(report, options, view, everything),
    notes: missing.map((name) => noSuchColumn(name, everything).message),
  };
}

async function textIn(
  { record, columns, currency }: RecordReport,
  options: ReportOptions,
  view: View,
  everything: readonly Field[],
): Promise<string> {
  const documented = fieldsByName(columns);
  const wanted = options.columns && chooseFields(documented, options.columns);
  const { format } = options;
  if (format === "json") return jsonRecord(record, { documented, wanted }, "indented");
  if (format === "ndjson") return jsonRecord(record, { documented, wanted }, "one line");
  if (format === "table") return recordTable(record, wanted ?? everything, currency);
  const fields = wanted ?? (columns === "fromRows" ? everything : columns);
  const csv = csvRenderer(fields, { ...options, terminal: view.terminal });
  return (await csv.head()) + (await csv.body([record]));
}
