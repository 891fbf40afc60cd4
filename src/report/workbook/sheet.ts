import { columnName } from "../../values/text/column-name.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { WorkbookCell } from "./cell.ts";
import { cellXml, escapeXml, Formula, isNumber, textXml } from "./cell.ts";
import { cellStyles } from "./styles.ts";

export type WorkbookRow = readonly WorkbookCell[];

export interface WorkbookColumn {
  readonly heading: string;
  /** In characters. */
  readonly width: number;
  /** Set for columns of numbers: the heading is aligned like them. */
  readonly align?: "right" | undefined;
  /** True to wrap texts. */
  readonly wraps?: boolean | undefined;
  /** True for amounts with a total below them, which covers only the filtered rows. */
  readonly isTotalled?: boolean | undefined;
}

/** A line above the headings. */
export type WorkbookTitle = string | { readonly alarm: string };

/** The rows of a written sheet, for formulas on other sheets. */
export interface WrittenRows {
  readonly name: string;
  /** The first and the last row of data; there are none where the last is before the first. */
  readonly first: number;
  readonly last: number;
  /** False where a totalled amount is text, because it has more digits than a spreadsheet's numbers. */
  readonly areNumbers: boolean;
}

export interface WorkbookSheet {
  /** At most 26 characters, none of `[]:*?/\`; further sheets of the same rows add a number. */
  readonly name: string;
  /** Lines above the headings, the first one large. */
  readonly titles?: readonly WorkbookTitle[] | undefined;
  readonly columns: readonly WorkbookColumn[];
  /** An array, or batches as they arrive. */
  readonly rows: readonly WorkbookRow[] | AsyncIterable<readonly WorkbookRow[]>;
  /** Called when all rows of a sheet are written, before the rows of later sheets are read. */
  readonly onWritten?: ((rows: WrittenRows) => void) | undefined;
}

/** The most rows of a sheet. */
export const sheetMaxRows = 1_048_576;
/** A sheet beyond this size continues on another one: a part of the file may have at most 4 GiB. */
const sheetMaxChars = 1 << 30;
/** Rows that become XML in one go. */
const sliceRows = 200;

/** The row with a sheet's headings, counted from 1: below the titles and an empty row. */
export function headingRow({ titles = [] }: WorkbookSheet): number {
  return titles.length === 0 ? 1 : titles.length + 2;
}

/** The XML of one sheet: takes rows until it is full or there are no more. `maxRows` includes the lines above them. */
export async function* sheetXml(
  sheet: WorkbookSheet,
  rows: RowSupply,
  { maxRows, name }: { readonly maxRows: number; readonly name: string },
): AsyncGenerator<string> {
  const names = sheet.columns.map((_, index) => columnName(index));
  const sums = new ColumnSums(sheet.columns);
  const top = headingRow(sheet);
  yield opening(sheet, top) + headRows(sheet, names, top);
  const end = Math.max(maxRows - sums.rowsCount, top + 1);
  let last = top;
  for (let chars = 0; last < end && chars < sheetMaxChars;) {
    const slice = await rows.take(Math.min(sliceRows, end - last));
    if (slice === undefined) break;
    let xml = "";
    for (const row of slice) {
      xml += rowXml(row, sheet.columns, { names, place: ++last });
      sums.add(row);
    }
    chars += xml.length;
    yield xml;
  }
  sheet.onWritten?.({ name, first: top + 1, last, areNumbers: sums.areNumbers });
  if (last > top) yield sums.xml(names, { first: top + 1, last });
  yield closing(`${names.at(-1) ?? "A"}${last}`, top, last);
}

/** Gives rows in any number, from batches of any size. */
export class RowSupply {
  readonly #batches: AsyncIterator<readonly WorkbookRow[]> | undefined;
  #rows: readonly WorkbookRow[];
  #next = 0;

  constructor(rows: WorkbookSheet["rows"]) {
    const isHeld = Array.isArray(rows);
    this.#rows = isHeld ? rows : [];
    this.#batches = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : undefined;
  }

  /** The next rows, at most `most`; undefined when there are no more. */
  async take(most: number): Promise<readonly WorkbookRow[] | undefined> {
    if (!(await this.hasMore())) return undefined;
    const taken = this.#rows.slice(this.#next, this.#next + most);
    this.#next += taken.length;
    return taken;
  }

  async hasMore(): Promise<boolean> {
    while (this.#next >= this.#rows.length) {
      const next = await this.#batches?.next();
      if (next === undefined || next.done === true) return false;
      this.#rows = next.value;
      this.#next = 0;
    }
    return true;
  }

  /** Closes the batches, even if not all were taken. */
  async close(): Promise<void> {
    await this.#batches?.return?.();
  }
}

/** The totals below the columns. */
class ColumnSums {
  /** True while every added amount fits a spreadsheet's number. */
  areNumbers = true;
  readonly #sums: (Decimal | undefined)[];

  constructor(columns: readonly WorkbookColumn[]) {
    this.#sums = columns.map(({ isTotalled }) => (isTotalled === true ? Decimal.zero : undefined));
  }

  /** How many rows the totals need. */
  get rowsCount(): number {
    return this.#sums.some((sum) => sum !== undefined) ? 1 : 0;
  }

  add(row: WorkbookRow): void {
    for (const [index, sum] of this.#sums.entries()) {
      const cell = sum === undefined ? undefined : row[index];
      if (!(cell instanceof Decimal)) continue;
      this.#sums[index] = sum?.add(cell);
      this.areNumbers &&= isNumber(cell);
    }
  }

  /** The row of totals; empty where no column has one. */
  xml(names: readonly string[], { first, last }: { readonly first: number; readonly last: number }): string {
    if (this.rowsCount === 0) return "";
    const place = last + 1;
    const cells = this.#sums.map((sum, index) => {
      const [name, at] = [names[index] ?? "", `${names[index] ?? ""}${place}`];
      if (sum === undefined) return index === 0 ? textXml("Total", at, cellStyles.total) : "";
      const total = new Formula(`SUBTOTAL(9,${name}${first}:${name}${last})`, sum, cellStyles.totalAmount);
      return cellXml(this.areNumbers && isNumber(sum) ? total : sum, at);
    });
    return `<row r="${place}">${cells.join("")}</row>`;
  }
}

const xmlns = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

function opening({ columns }: WorkbookSheet, top: number): string {
  const pane = `<pane ySplit="${top}" topLeftCell="A${top + 1}" activePane="bottomLeft" state="frozen"/>`;
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${xmlns}">` +
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
    `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/><cols>${widths.join("")}</cols><sheetData>`
  );
}

function headRows({ titles = [], columns }: WorkbookSheet, names: readonly string[], top: number): string {
  const lines = titles.map((title, index) => {
    const isAlarm = typeof title !== "string";
    const style = isAlarm ? cellStyles.alarm : index === 0 ? cellStyles.title : cellStyles.plain;
    return `<row r="${index + 1}">${textXml(isAlarm ? title.alarm : title, `A${index + 1}`, style)}</row>`;
  });
  const headings = columns.map(({ heading, align }, index) =>
    textXml(heading, `${names[index] ?? ""}${top}`, align === "right" ? cellStyles.headingRight : cellStyles.heading),
  );
  return `${lines.join("")}<row r="${top}">${headings.join("")}</row>`;
}

function rowXml(
  row: WorkbookRow,
  columns: readonly WorkbookColumn[],
  { names, place }: { readonly names: readonly string[]; readonly place: number },
): string {
  let cells = "";
  for (let index = 0; index < names.length; index += 1) {
    const [cell, at] = [row[index], `${names[index] ?? ""}${place}`];
    const wraps = typeof cell === "string" && cell !== "" && columns[index]?.wraps === true;
    cells += wraps ? textXml(cell, at, cellStyles.wrapped) : cellXml(cell, at);
  }
  return `<row r="${place}">${cells}</row>`;
}

/** Filters on the headings, A4 landscape with page numbers, and no warnings for ids that are text on purpose. */
function closing(lastCell: string, top: number, last: number): string {
  return (
    `</sheetData>${last > top ? `<autoFilter ref="A${top}:${lastCell}"/>` : ""}` +
    '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>' +
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>' +
    `<headerFooter><oddFooter>${escapeXml("&L&A&RPage &P of &N")}</oddFooter></headerFooter>` +
    `<ignoredErrors><ignoredError sqref="A1:${lastCell}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
  );
}
