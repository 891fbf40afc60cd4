import { amountStyle, Formula, isNumber, numberMaxDigits } from "../../report/workbook/cell.ts";
import type { WorkbookCell } from "../../report/workbook/cell.ts";
import type { WorkbookRow, WrittenRows } from "../../report/workbook/sheet.ts";
import { columnName } from "../../values/text/column-name.ts";
import { cellStyles } from "../../report/workbook/styles.ts";
import { minorDigits } from "../../values/money/currency.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Field } from "../../values/field.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";

const checkName = "Check: opening + credits − debits − closing (0 when it adds up)";
/** From the last title to the first row: an empty line, the headings, and the row itself. */
const rowsBetween = 3;
/** Its name where a spreadsheet's doubles could not tell a break from a rounding error. */
const fixedCheckName = `${checkName}. A spreadsheet can't recalculate it: amounts have more than ${numberMaxDigits} digits`;

interface Made {
  /** The sheets that hold the rows. */
  readonly written: readonly WrittenRows[];
  /** Lines above the headings of the summary. */
  readonly titles: number;
}

/**
 * Totals of a statement, as formulas over the cells of its rows. Where an amount is too long for a spreadsheet's
 * number, the sums are written as values.
 */
export async function* summaryRows(
  statement: StatementData,
  fields: readonly Field[],
  { written, titles }: Made,
): AsyncGenerator<readonly WorkbookRow[]> {
  const { opening, credits, debits, closing, rows } = statement;
  const column = (side: "credit" | "debit") => columnName(fields.findIndex((field) => field.side === side));
  const balance = columnName(fields.findIndex(({ name }) => name === "balance" || name === "availableBalance"));
  const sheets = written.filter(({ first, last }) => last >= first);
  const canCalculate = sheets.length > 0 && sheets.every(({ areNumbers }) => areNumbers);
  const over = (letter: string) =>
    sheets.map(({ name, first, last }) => `${inSheet(name)}${letter}${first}:${letter}${last}`);
  const sum = (letter: string, value: Decimal): WorkbookCell =>
    canCalculate ? formula(`SUM(${over(letter).join(",")})`, value) : value;
  const [start, end] = [sheets[0], sheets.at(-1)];
  const ends = canCalculate ? await rowsAtEnds(statement) : undefined;
  const before = (letter: string) => `${inSheet(start?.name ?? "")}${letter}${start?.first ?? 0}`;
  // Another row may have been booked first or last: then a formula over these would come to another amount.
  const opened: WorkbookCell =
    opening !== undefined && ends !== undefined && beginsWith(ends.first, opening)
      ? formula(`${before(balance)}-${before(column("credit"))}+${before(column("debit"))}`, opening)
      : opening;
  const closed: WorkbookCell =
    closing !== undefined && end !== undefined && ends?.last.balance?.equals(closing) === true
      ? formula(`${inSheet(end.name)}${balance}${end.last}`, closing)
      : closing;
  yield [
    ["Opening", opened],
    ["Credits", sum(column("credit"), credits)],
    ["Debits", sum(column("debit"), debits)],
    ["Closing", closed],
    ["Rows", canCalculate ? countOf(over("A"), rows) : rows],
    ...checkRows(statement, titles + rowsBetween),
  ];
}

/** The check of the four rows from `top` on; none without balances. */
function checkRows({ opening, credits, debits, closing, currency }: StatementData, top: number): WorkbookRow[] {
  if (opening === undefined || closing === undefined) return [];
  const difference = opening.add(credits).subtract(debits).subtract(closing);
  const parts = [opening, credits, debits, closing];
  const digits = Math.max(minorDigits(currency), ...parts.map(fractionDigits));
  if (parts.some((part) => part.abs().padded(digits).replace(".", "").length > numberMaxDigits))
    return [[fixedCheckName, difference]];
  const text = `ROUND(B${top}+B${top + 1}-B${top + 2}-B${top + 3},${digits})`;
  return [[checkName, new Formula(text, difference, amountStyle(digits))]];
}

function formula(text: string, value: Decimal): WorkbookCell {
  return isNumber(value) ? new Formula(text, value) : value;
}

function fractionDigits(amount: Decimal): number {
  return amount.trimmed().split(".")[1]?.length ?? 0;
}

function countOf(ranges: readonly string[], rows: number): Formula {
  const counts = ranges.map((range) => `ROWS(${range})`);
  return new Formula(counts.join("+"), new Decimal(rows, 0), cellStyles.count);
}

/** True where the row leads from that balance to one that a spreadsheet holds as a number. */
function beginsWith(row: StatementLine, opening: Decimal): boolean {
  const { balance } = row;
  return balance !== undefined && isNumber(balance) && balance.subtract(changeOf(row)).equals(opening);
}

/** The first row and the last one; undefined without rows. */
async function rowsAtEnds(
  statement: StatementData,
): Promise<{ first: StatementLine; last: StatementLine } | undefined> {
  let ends: { first: StatementLine; last: StatementLine } | undefined;
  for await (const lines of statement.lines())
    for (const line of lines) ends = { first: ends?.first ?? line, last: line };
  return ends;
}

function inSheet(name: string): string {
  return `'${name.replaceAll("'", "''")}'!`;
}
