import { textOf } from "../../../report/cell.ts";
import { headingOf } from "../../../report/columns.ts";
import type { Row } from "../../../report/report.ts";
import { writeWorkbook } from "../../../report/workbook/workbook.ts";
import type { WorkbookCell } from "../../../report/workbook/cell.ts";
import type { WorkbookColumn, WorkbookRow, WorkbookSheet } from "../../../report/workbook/sheet.ts";
import { amountOf } from "../../../values/money/amount.ts";
import { Day } from "../../../values/time/day.ts";
import type { Field } from "../../../values/field.ts";
import { describePeriod } from "../../../values/time/period.ts";
import type { Reconciliation } from "../reconciliation.ts";
import { balanceLines } from "./balance-in-words.ts";
import { resultFields } from "./result-row.ts";
import { sumsInWords } from "../sums-in-words.ts";

/** In characters. */
const wideCells = 44;
const usualCells = 20;

/** A reconciliation as an Excel workbook: a sheet with totals, one with the rows, and one with the sources. */
export function encodeResultWorkbook(
  reconciliation: Reconciliation,
  currency: string | undefined,
): AsyncIterable<Uint8Array> {
  const { accountNo, period } = reconciliation;
  const title = `Reconciliation of ${accountNo}, ${describePeriod(period)}`;
  const unit = currency === undefined ? "" : ` (${currency})`;
  return writeWorkbook({
    title,
    day: period.endDate,
    sheets: [
      summarySheet(reconciliation, title, unit),
      { name: "Rows", columns: resultFields.map((field) => columnFor(field, unit)), rows: rowsOf(reconciliation) },
      sourcesSheet(reconciliation),
    ],
  });
}

function summarySheet(reconciliation: Reconciliation, title: string, unit: string): WorkbookSheet {
  const { totals, sums, joinedFees } = reconciliation;
  const { opening, credits, debits, fees, closing, feeRows } = sums;
  return {
    name: "Summary",
    titles: [title, `The statement ${sumsInWords(sums)}.`],
    columns: [
      { heading: "Class", width: usualCells },
      { heading: "Rows", width: usualCells / 2, align: "right" },
      ...["Statement", "Book", "Difference"].map((name) => amountColumn(name + unit)),
    ],
    rows: [
      ...totals.map((total) => [
        total.class,
        total.count,
        total.statement,
        total.book,
        total.statement.subtract(total.book),
      ]),
      [],
      ["opening", undefined, opening ?? "not known"],
      ["+ credits", undefined, credits],
      ["− debits", undefined, debits],
      ["− fees", feeRows, fees],
      ["= closing", undefined, closing ?? "not known"],
      ["fees joined", joinedFees],
      [],
      ...balanceLines(reconciliation).map(([what, amount]) => [what, undefined, amount ?? "not known"]),
    ],
  };
}

async function* rowsOf(reconciliation: Reconciliation): AsyncGenerator<readonly WorkbookRow[]> {
  for await (const rows of reconciliation.rows())
    yield rows.map((row) => resultFields.map((field) => cellOf(row, field)));
}

function cellOf(row: Row, { name, kind }: Field): WorkbookCell {
  const text = textOf(row[name]);
  if (kind === "amount") return amountOf(row[name]) ?? text;
  if (kind === "count") return text === "" ? undefined : Number(text);
  return kind === "time" ? (Day.parse(text) ?? text) : text;
}

function sourcesSheet({ sources }: Reconciliation): WorkbookSheet {
  return {
    name: "Sources",
    columns: [
      { heading: "Source", width: usualCells },
      { heading: "Name", width: wideCells },
      { heading: "Rows", width: usualCells / 2, align: "right" },
      { heading: "SHA-256", width: 2 * wideCells },
    ],
    rows: sources.map(({ source, name, rows, sha256 }) => [source, name, rows, sha256]),
  };
}

function columnFor(field: Field, unit: string): WorkbookColumn {
  const heading = headingOf(field);
  const name = heading.charAt(0).toUpperCase() + heading.slice(1);
  if (field.kind === "amount") return amountColumn(name + unit);
  return { heading: name, width: field.kind === "text" ? wideCells : usualCells };
}

function amountColumn(heading: string): WorkbookColumn {
  return { heading, width: usualCells, align: "right" };
}
