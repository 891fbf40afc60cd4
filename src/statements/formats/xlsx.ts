import { accountEntryFields } from "../../contract/accounts.ts";
import { walletEntryFields } from "../../contract/wallets.ts";
import { textOf } from "../../report/cell.ts";
import { headingOf } from "../../report/columns.ts";
import { writeWorkbook } from "../../report/workbook/workbook.ts";
import type { WorkbookCell } from "../../report/workbook/cell.ts";
import type {
  WorkbookColumn,
  WorkbookRow,
  WorkbookSheet,
  WorkbookTitle,
  WrittenRows,
} from "../../report/workbook/sheet.ts";
import { amountOf } from "../../values/money/amount.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { Day } from "../../values/time/day.ts";
import type { Field, FieldKind } from "../../values/field.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { describePeriod } from "../../values/time/period.ts";
import { momentOf } from "../../values/time/wall-time.ts";
import type { StatementData } from "./format.ts";
import { summaryRows } from "./xlsx-summary.ts";

/** In characters. */
const widths: Readonly<Record<FieldKind, number>> = { text: 56, id: 26, amount: 18, time: 20, count: 10, flag: 8 };
const codeWidth = 10;
/** Ids of a few letters. */
const codes: ReadonlySet<string> = new Set(["debitOrCredit", "creditOrDebit", "currency"]);

/**
 * A statement as an Excel workbook: one sheet with every documented field of every row, with filters in the headings
 * and totals that follow them, and one with the summary, calculated from the first.
 */
export function encodeXlsx(statement: StatementData): AsyncIterable<Uint8Array> {
  const { accountNo, period } = statement;
  const written: WrittenRows[] = [];
  return writeWorkbook({
    title: `Statement of ${accountNo}, ${describePeriod(period)}`,
    day: period.endDate,
    sheets: [entrySheet(statement, written), summarySheet(statement, written)],
  });
}

function fieldsOf({ accountKind }: StatementData): readonly Field[] {
  return accountKind === "wallet" ? walletEntryFields : accountEntryFields;
}

/** The titles above the rows of a sheet. */
function titlesOf(statement: StatementData): WorkbookTitle[] {
  const { accountNo, accountName, accountKind, currency, period, verdict, addsUp } = statement;
  const said = `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}`;
  return [
    `Statement of ${accountKind === "wallet" ? "wallet" : "account"} ${accountNo}`,
    ...(accountName === undefined ? [] : [accountName]),
    describePeriod(period),
    ...(currency === "" ? [] : [`Currency ${currency}`]),
    addsUp ? said : { alarm: said },
  ];
}

function entrySheet(statement: StatementData, written: WrittenRows[]): WorkbookSheet {
  const fields = fieldsOf(statement);
  return {
    name: "Statement",
    titles: titlesOf(statement),
    columns: fields.map(columnFor),
    rows: rowsOf(statement, fields),
    onWritten: (rows) => void written.push(rows),
  };
}

function columnFor(field: Field): WorkbookColumn {
  const heading = headingOf(field);
  const width = codes.has(field.name) ? codeWidth : widths[field.kind];
  const align = field.kind === "amount" ? "right" : undefined;
  return {
    heading: heading.charAt(0).toUpperCase() + heading.slice(1),
    width,
    align,
    wraps: field.kind === "text",
    isTotalled: field.side !== undefined,
  };
}

async function* rowsOf(statement: StatementData, fields: readonly Field[]): AsyncGenerator<readonly WorkbookRow[]> {
  const timeOf = timeReader();
  const sides = fields.filter(({ side }) => side !== undefined);
  const cellOf = (row: JsonObject, { name, kind, side }: Field): WorkbookCell => {
    const value: JsonValue | undefined = row[name];
    if (kind === "time") return timeOf(textOf(value));
    if (kind !== "amount") return textOf(value);
    const amount = amountOf(value);
    const isEmptySide = side !== undefined && amount?.isZero === true && sides.some((other) => isFilled(row, other));
    return isEmptySide ? undefined : (amount ?? textOf(value));
  };
  for await (const rows of statement.rawRows()) yield rows.map((row) => fields.map((field) => cellOf(row, field)));
}

function isFilled(row: JsonObject, { name }: Field): boolean {
  const amount = amountOf(row[name]);
  return amount instanceof Decimal && !amount.isZero;
}

/** Text that isn't a time stays text. Both times of a row are usually equal, so the second one is cached. */
function timeReader(): (text: string) => WorkbookCell {
  let last = "";
  let cell: WorkbookCell = "";
  return (text) => {
    if (text !== last) cell = Day.parse(text) ?? momentOf(text) ?? text;
    last = text;
    return cell;
  };
}

function summarySheet(statement: StatementData, written: readonly WrittenRows[]): WorkbookSheet {
  const { currency } = statement;
  return {
    name: "Summary",
    titles: titlesOf(statement),
    columns: [
      { heading: "Balance", width: 62 },
      { heading: currency === "" ? "Amount" : `Amount (${currency})`, width: 24, align: "right" },
    ],
    rows: summaryRows(statement, fieldsOf(statement), { written, titles: titlesOf(statement).length }),
  };
}
