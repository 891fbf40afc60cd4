import { accountEntryFields } from "../../contract/accounts.ts";
import { walletEntryFields } from "../../contract/wallets.ts";
import { textOf } from "../../report/cell.ts";
import { headingOf } from "../../report/columns.ts";
import { writeWorkbook } from "../../report/workbook/workbook.ts";
import type { WorkbookCell } from "../../report/workbook/cell.ts";
import type { WorkbookColumn, WorkbookRow, WorkbookSheet } from "../../report/workbook/sheet.ts";
import { amountOf } from "../../values/money/amount.ts";
import { Day } from "../../values/time/day.ts";
import type { Field, FieldKind } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { describePeriod } from "../../values/time/period.ts";
import { momentOf } from "../../values/time/wall-time.ts";
import type { StatementData } from "./format.ts";

/** In characters. */
const widths: Readonly<Record<FieldKind, number>> = { text: 56, id: 26, amount: 18, time: 20, count: 10, flag: 8 };
const codeWidth = 10;
/** Ids of a few letters. */
const codes: ReadonlySet<string> = new Set(["debitOrCredit", "creditOrDebit", "currency"]);

/**
 * A statement as an Excel workbook: every documented field of every row on one sheet, whose headings can be filtered
 * and whose amounts add up, and what the rows come to on another.
 */
export function encodeXlsx(statement: StatementData): AsyncIterable<Uint8Array> {
  const { accountNo, period } = statement;
  return writeWorkbook({
    title: `Statement of ${accountNo}, ${describePeriod(period)}`,
    day: period.endDate,
    sheets: [entrySheet(statement), summarySheet(statement)],
  });
}

function entrySheet(statement: StatementData): WorkbookSheet {
  const fields: readonly Field[] = statement.accountKind === "wallet" ? walletEntryFields : accountEntryFields;
  return { name: "Statement", columns: fields.map(columnFor), rows: rowsOf(statement, fields) };
}

function columnFor(field: Field): WorkbookColumn {
  const heading = headingOf(field);
  const width = codes.has(field.name) ? codeWidth : widths[field.kind];
  const align = field.kind === "amount" ? "right" : undefined;
  return { heading: heading.charAt(0).toUpperCase() + heading.slice(1), width, align };
}

async function* rowsOf(statement: StatementData, fields: readonly Field[]): AsyncGenerator<readonly WorkbookRow[]> {
  const timeOf = timeReader();
  const cellOf = (value: JsonValue | undefined, kind: FieldKind): WorkbookCell => {
    if (kind === "amount") return amountOf(value) ?? textOf(value);
    return kind === "time" ? timeOf(textOf(value)) : textOf(value);
  };
  for await (const rows of statement.rawRows())
    yield rows.map((row) => fields.map(({ name, kind }) => cellOf(row[name], kind)));
}

/** What is no time stays the text that it was. Both times of a row are mostly one, which is then read once. */
function timeReader(): (text: string) => WorkbookCell {
  let last = "";
  let cell: WorkbookCell = "";
  return (text) => {
    if (text !== last) cell = Day.parse(text) ?? momentOf(text) ?? text;
    last = text;
    return cell;
  };
}

function summarySheet(statement: StatementData): WorkbookSheet {
  const { accountNo, accountName, accountKind, currency, period } = statement;
  const name = accountName === undefined ? [] : [accountName];
  return {
    name: "Summary",
    titles: [
      `Statement of ${accountKind === "wallet" ? "wallet" : "account"} ${accountNo}`,
      ...name,
      describePeriod(period),
    ],
    columns: [
      { heading: "Balance", width: 24 },
      { heading: currency === "" ? "Amount" : `Amount (${currency})`, width: 24, align: "right" },
    ],
    rows: [
      ["Opening", statement.opening],
      ["Credits", statement.credits],
      ["Debits", statement.debits],
      ["Closing", statement.closing],
      ["Rows", statement.rows],
    ],
  };
}
