import { amountStyle, Formula, isNumber, numberMaxDigits } from "../../report/workbook/cell.ts";
import type { WorkbookCell } from "../../report/workbook/cell.ts";
import type { WorkbookRow, WrittenRows } from "../../report/workbook/sheet.ts";
import { columnName } from "../../values/text/column-name.ts";
import { cellStyles } from "../../report/workbook/styles.ts";
import { minorDigits } from "../../values/money/currency.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Field } from "../../values/field.ts";
import type { StatementData } from "./format.ts";

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
  const [firstRow, lastRow] = canCalculate ? await balancesAtEnds(statement) : [undefined, undefined];
  const before = (letter: string) => `${inSheet(start?.name ?? "")}${letter}${start?.first ?? 0}`;
  const opened: WorkbookCell =
    opening === undefined || firstRow === undefined || !isNumber(firstRow)
      ? opening
      : formula(`${before(balance)}-${before(column("credit"))}+${before(column("debit"))}`, opening);
  const closed: WorkbookCell =
    end === undefined || closing === undefined || lastRow === undefined
      ? closing
      : formula(`${inSheet(end.name)}${balance}${end.last}`, closing);
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

/** The balances of the first row and of the last one, where they have one. */
async function balancesAtEnds(statement: StatementData): Promise<readonly [Decimal | undefined, Decimal | undefined]> {
  let first: { readonly balance: Decimal | undefined } | undefined;
  let last: Decimal | undefined;
  for await (const lines of statement.lines())
    for (const { balance } of lines) {
      first ??= { balance };
      last = balance;
    }
  return [first?.balance, last];
}

function inSheet(name: string): string {
  return `'${name.replaceAll("'", "''")}'!`;
}
