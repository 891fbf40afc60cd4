import type { Field } from "../values/field.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { chooseFields, fieldsByName, fieldsIn, noSuchColumn, undocumentedNames } from "./columns.ts";
import { csvRenderer } from "./csv.ts";
import { jsonRecord } from "./json.ts";
import type { ReportOptions, View } from "./options.ts";
import type { Renderer } from "./renderer.ts";
import { recordTable } from "./table/record-table.ts";
import type { RecordReport } from "./report.ts";
import { TableRenderer } from "./table/table.ts";
import { TerminalTable } from "./terminal/terminal-table.ts";

export interface RecordText {
  readonly text: string;
  /** Notes for stderr. */
  readonly notes: readonly string[];
}

/**
 * A record in the chosen format. An unknown column is a note where the record may be a movement of money, which must be
 * shown.
 * @throws {Failure} usage where an unknown column is asked of a record that was only read
 */
export async function recordText(report: RecordReport, options: ReportOptions, view: View): Promise<RecordText> {
  const documented = fieldsByName(report.columns);
  const everything = fieldsIn([report.record], documented);
  const missing = undocumentedNames(documented, { columns: options.columns }).filter(
    (name) => !Object.hasOwn(report.record, name) && !Object.hasOwn(report.lists ?? {}, name),
  );
  const unknown = missing.map((name) => noSuchColumn(name, everything));
  if (report.isRead === true && unknown[0] !== undefined) throw unknown[0];
  const { text, notes = [] } = await textIn(report, options, view, everything);
  return { text, notes: [...unknown.map(({ message }) => message), ...notes] };
}

async function textIn(
  report: RecordReport,
  options: ReportOptions,
  view: View,
  everything: readonly Field[],
): Promise<Pick<RecordText, "text"> & Partial<RecordText>> {
  const { record, columns } = report;
  const documented = fieldsByName(columns);
  const wanted = options.columns && chooseFields(documented, options.columns);
  const { format } = options;
  if (format === "json") return { text: jsonRecord(record, { documented, wanted }, "indented") };
  if (format === "ndjson") return { text: jsonRecord(record, { documented, wanted }, "one line") };
  if (format === "table") return tablesIn(report, wanted ?? everything, options, view);
  const fields = wanted ?? (columns === "fromRows" ? everything : columns);
  const csv = csvRenderer(fields, { ...options, terminal: view.terminal });
  return { text: (await csv.head()) + (await csv.body([record])) };
}

/** The fields one below the other, and below them a table for each list. */
async function tablesIn(
  { record, currency, lists = {} }: RecordReport,
  fields: readonly Field[],
  { header, today, names }: ReportOptions,
  view: View,
): Promise<RecordText> {
  const tables = fields.flatMap(({ name }) => {
    const columns = lists[name];
    return columns === undefined ? [] : [{ columns, rows: rowsIn(record[name]) }];
  });
  const plain = fields.filter(({ name }) => lists[name] === undefined);
  const parts = plain.length === 0 ? [] : [await recordTable(record, plain, currency, { names, width: view.width })];
  const notes: string[] = [];
  for (const { columns, rows } of tables) {
    const options = { header, currency, footer: undefined, ...view };
    const table: Renderer = view.terminal
      ? new TerminalTable(columns, { ...options, today, names, chosen: false, whole: true })
      : new TableRenderer(columns, options);
    await table.foresee?.(rows);
    parts.push(await table.body(rows));
    notes.push(...(table.notes?.() ?? []));
  }
  return { text: parts.join("\n"), notes };
}

function rowsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
