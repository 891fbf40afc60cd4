import { amountOf } from "../../values/money/amount.ts";
import { Day } from "../../values/time/day.ts";
import type { Field, FieldKind } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { momentOf } from "../../values/time/wall-time.ts";
import { textOf } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { FileReport, Row, RowsReport } from "../report.ts";
import type { WorkbookCell } from "./cell.ts";
import type { WorkbookRow, WorkbookSheet } from "./sheet.ts";
import { writeWorkbook } from "./workbook.ts";

/** In characters. */
const widths: Readonly<Record<FieldKind, number>> = { text: 44, id: 26, amount: 18, time: 22, count: 10, flag: 8 };
/** A list has no period, so its file gets the first day that archives allow: 1980-01-01. */
const madeOn = new Day(3652);
const wholeNumber = /^\d{1,15}$/;

/** A list as an Excel workbook: ids as text, amounts as numbers, times as dates. */
export function rowsWorkbook({ columns, rows, findings }: RowsReport): FileReport {
  const sheet = rowsSheet("Rows", columns === "fromRows" ? [] : columns, rows);
  return { shape: "file", content: writeWorkbook({ title: "Rows", day: madeOn, sheets: [sheet] }), findings };
}

/** A list as one sheet of a workbook. */
export function rowsSheet(name: string, fields: readonly Field[], rows: RowsReport["rows"]): WorkbookSheet {
  return {
    name,
    columns: fields.map((field) => ({
      heading: headingOf(field),
      width: widths[field.kind],
      align: field.kind === "amount" || field.kind === "count" ? ("right" as const) : undefined,
      wraps: field.kind === "text",
    })),
    rows: cellsOf(rows, fields),
  };
}

async function* cellsOf(rows: RowsReport["rows"], fields: readonly Field[]): AsyncGenerator<readonly WorkbookRow[]> {
  const inCells = (batch: readonly Row[]) =>
    batch.map((row) => fields.map(({ name, kind }) => cellOf(row[name], kind)));
  if (Symbol.asyncIterator in rows) for await (const batch of rows) yield inCells(batch);
  else yield inCells(rows);
}

/** Values other than amounts, numbers and times stay text. */
function cellOf(value: JsonValue | undefined, kind: FieldKind): WorkbookCell {
  const text = textOf(value);
  if (kind === "amount") return amountOf(value) ?? text;
  if (kind === "count" && wholeNumber.test(text)) return Number(text);
  return kind === "time" ? (Day.parse(text) ?? momentOf(text) ?? text) : text;
}
