import type { CellFault, SheetRow } from "../sheet-row.ts";
import { quote } from "../../values/text/text.ts";
import type { CellText } from "./number-text.ts";
import { dateText, numberText } from "./number-text.ts";
import { columnName, columnNumber } from "../../values/text/column-name.ts";
import { RichText, unescaped } from "./strings.ts";
import { isTrue } from "./parts.ts";
import type { Attribute, XmlHandler } from "./xml.ts";

/** What is needed to read the cells of a sheet. */
export interface CellContext {
  /** The sheet's name. */
  readonly sheet: string;
  readonly sharedStrings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly from1904: boolean;
}

/** The most columns that a sheet can have. */
const columnsMaxCount = 16_384;
const rowsMaxCount = 1_048_576;
const placeForm = /^([A-Z]{1,3})([1-9]\d{0,6})$/;

/** The cell that is being read. */
interface OpenCell {
  readonly column: number;
  readonly type: string;
  /** True where its style shows a number as a day. */
  readonly isDate: boolean;
  value: string | undefined;
  isFormula: boolean;
}

/** Reads rows from the XML of a sheet as it arrives; merged cells are known only at the end. */
export class RowParser {
  readonly #context: CellContext;
  #rows: SheetRow[] = [];
  readonly #merged: string[] = [];
  #line = 0;
  #isHidden = false;
  #cells: string[] = [];
  #faults: CellFault[] = [];
  #column = 0;
  #cell: OpenCell | undefined;
  #within: "rows" | "row" | "formula" | "value" | "text" | undefined;
  readonly #rich = new RichText();
  /** Columns whose cells are days unless they have a style of their own. Gnumeric styles most cells this way. */
  readonly #dateColumns: (readonly [first: number, last: number])[] = [];

  constructor(context: CellContext) {
    this.#context = context;
  }

  readonly handler: XmlHandler = {
    open: (element, attribute) => {
      if (this.#within === "text") this.#rich.handler.open(element, attribute);
      else if (this.#cell !== undefined) this.#openInCell(element, this.#cell);
      else if (this.#within === "row" && element === "c") this.#openCell(attribute);
      else if (this.#within === "rows" && element === "row") this.#openRow(attribute);
      else if (element === "sheetData") this.#within = "rows";
      else if (element === "col") this.#openColumns(attribute);
      else if (element === "mergeCell") this.#merged.push(attribute("ref") ?? "");
    },
    text: (text) => {
      if (this.#within === "text") this.#rich.handler.text(text);
      else if (this.#within === "value" && this.#cell !== undefined)
        this.#cell.value = `${this.#cell.value ?? ""}${text}`;
    },
    close: (element) => {
      if (this.#cell !== undefined) this.#closeInCell(element, this.#cell);
      else if (element === "row" && this.#within === "row") this.#closeRow();
      else if (element === "sheetData") this.#within = undefined;
    },
  };

  /** The rows that were read since the last time. */
  take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** A row with only a fault for each range of merged cells. */
  merged(): SheetRow[] {
    return this.#merged.map((range) => {
      const cell = `${this.#context.sheet}!${range}`;
      return { line: lineOf(range.slice(range.indexOf(":") + 1)), cells: [], faults: [{ cell, problem: "is merged" }] };
    });
  }

  #openColumns(attribute: Attribute): void {
    const style = Number(attribute("style") ?? "0");
    if (!this.#context.dateStyles.has(style)) return;
    this.#dateColumns.push([Number(attribute("min")) - 1, Number(attribute("max")) - 1]);
  }

  #isDateColumn(column: number): boolean {
    return this.#dateColumns.some(([first, last]) => column >= first && column <= last);
  }

  #openRow(attribute: Attribute): void {
    const line = Number(attribute("r") ?? this.#line + 1);
    const isNext = Number.isInteger(line) && line > this.#line && line <= rowsMaxCount;
    if (!isNext) this.#faults.push({ cell: this.#placeOf(0), problem: "is followed by a row out of its order" });
    this.#line = isNext ? line : this.#line + 1;
    this.#isHidden = isTrue(attribute("hidden"));
    this.#column = 0;
    this.#within = "row";
  }

  #closeRow(): void {
    const faults = this.#faults.length === 0 ? {} : { faults: this.#faults };
    const hidden = this.#isHidden ? { isHidden: true } : {};
    this.#rows.push({ line: this.#line, cells: this.#cells, ...faults, ...hidden });
    [this.#cells, this.#faults] = [[], []];
    this.#within = "rows";
  }

  #openCell(attribute: Attribute): void {
    const place = attribute("r");
    const column = place === undefined ? this.#column : columnOf(place);
    if (column === undefined || column < this.#column || column >= columnsMaxCount)
      this.#faults.push({ cell: this.#placeOf(this.#column), problem: "is followed by a cell out of its order" });
    else this.#column = column;
    const style = attribute("s");
    const isDate = style === undefined ? this.#isDateColumn(this.#column) : this.#context.dateStyles.has(Number(style));
    this.#cell = { column: this.#column, type: attribute("t") ?? "n", isDate, value: undefined, isFormula: false };
    this.#column += 1;
  }

  #openInCell(element: string, cell: OpenCell): void {
    if (element === "v") {
      this.#within = "value";
      cell.value ??= "";
    } else if (element === "f") {
      this.#within = "formula";
      cell.isFormula = true;
    } else if (element === "is") this.#within = "text";
  }

  #closeInCell(element: string, cell: OpenCell): void {
    if (this.#within === "text") this.#rich.handler.close(element);
    if (element === "is") cell.value = this.#rich.take();
    if (element === "v" || element === "f" || element === "is") this.#within = "row";
    if (element !== "c") return;
    this.#cell = undefined;
    const read = this.#textOf(cell);
    if ("problem" in read) this.#faults.push({ cell: this.#placeOf(cell.column), problem: read.problem });
    else if (read.text !== "") this.#put(cell.column, read.text);
  }

  #put(column: number, text: string): void {
    while (this.#cells.length < column) this.#cells.push("");
    this.#cells[column] = text;
  }

  #textOf({ type, isDate, value, isFormula }: OpenCell): CellText {
    const { sharedStrings, from1904 } = this.#context;
    if (type === "e") return { problem: `is an error, ${quote(value ?? "")}` };
    if (isFormula && (value === undefined || (value === "" && type !== "str")))
      return { problem: "is a formula without a stored value; open the file in a spreadsheet and save it" };
    if (value === undefined || (value === "" && type === "n")) return { text: "" };
    if (type === "s") {
      const shared = /^\d+$/.test(value) ? sharedStrings[Number(value)] : undefined;
      return shared === undefined ? { problem: "is a text that the workbook does not have" } : { text: shared };
    }
    if (type === "str") return { text: unescaped(value) };
    if (type === "inlineStr") return { text: value };
    if (type === "b") return { text: isTrue(value) ? "TRUE" : "FALSE" };
    if (type === "d") return { text: value.replace(/T(?:00:00:00(?:\.0+)?)?Z?$/, "").replace("T", " ") };
    if (type !== "n") return { problem: `is of an unknown kind, ${quote(type)}` };
    return isDate ? dateText(value.trim(), from1904) : numberText(value.trim());
  }

  #placeOf(column: number): string {
    return `${this.#context.sheet}!${columnName(column)}${this.#line}`;
  }
}

function columnOf(place: string): number | undefined {
  const [, letters] = placeForm.exec(place) ?? [];
  if (letters === undefined) return undefined;
  return columnNumber(letters);
}

function lineOf(place: string): number {
  const [, , line] = placeForm.exec(place) ?? [];
  return Number(line ?? rowsMaxCount);
}
