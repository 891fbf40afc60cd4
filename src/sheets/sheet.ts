import { Failure } from "../values/failure.ts";
import { quote, visible } from "../values/text/text.ts";
import type { SheetHost } from "./blocks.ts";
import { openContent } from "./blocks.ts";
import type { ExpectedColumns } from "./header.ts";
import { canonicalNames, headerViolations, namedCells } from "./header.ts";
import type { Records } from "./records.ts";
import { textRecords } from "./records.ts";
import type { SheetRow } from "./sheet-row.ts";
import { columnName } from "../values/text/column-name.ts";
import { cellCountViolation, unreadableLine, unreadableSheet } from "./sheet-failures.ts";

export type { SheetRow } from "./sheet-row.ts";

/** A user's file, CSV or a sheet of a workbook: the names of its columns, and its rows as they are read. */
export interface Sheet {
  readonly header: readonly string[];
  /** A comma for a workbook, which has none. */
  readonly delimiter: string;
  /** The name of the workbook's sheet; undefined for CSV. */
  readonly sheet: string | undefined;
  /** In the order of the file; can be read once. Rows with nothing but spaces are left out. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

export interface SheetOptions {
  /** Default: found in the header, one of `,` `;` tab and `|`. */
  readonly delimiter?: string | undefined;
  /** The sheet of a workbook; default: its only sheet. */
  readonly sheet?: string | undefined;
  /** Allowed columns; default: any. */
  readonly known?: readonly string[] | undefined;
  /** Required columns. */
  readonly required?: readonly string[] | undefined;
  /** Allowed and required columns, where they depend on the header. */
  readonly columnsFor?: ((header: readonly string[]) => ExpectedColumns) | undefined;
  /** Another way to fix a wrong header. */
  readonly advice?: string | undefined;
  /** True where titles can come before the header, which is then the first row with all required columns. */
  readonly titled?: boolean | undefined;
  /**
   * `keep` passes on rows with too many or too few cells, or with violations, to a caller that reports all violations
   * at once.
   */
  readonly ragged?: "refuse" | "keep" | undefined;
}

/** How many rows are searched for a header below titles. */
const titlesMaxCount = 50;

/**
 * Reads a sheet of any size in bounded memory.
 * @throws {Failure} usage (unreadable content, every violation of the header, the line of an invalid row) |
 * interrupted
 */
export async function openSheet(host: SheetHost, path: string, options: SheetOptions = {}): Promise<Sheet> {
  const records = await openRecords(host, path, options);
  try {
    return await openRows(records, path, options);
  } catch (error) {
    await records.rows.return(undefined);
    throw error;
  }
}

async function openRecords(host: SheetHost, path: string, options: SheetOptions): Promise<Records> {
  const content = await openContent(host, path);
  if (content.kind === "text") {
    if (options.sheet !== undefined) {
      await content.blocks.return(undefined);
      throw unreadableSheet(path, "it is CSV and has no sheets", { hint: "Leave --sheet out." });
    }
    const wanted = options.titled === true ? (options.required ?? []) : undefined;
    return textRecords(content.blocks, path, { delimiter: options.delimiter, wanted });
  }
  const { openWorkbook, refuseOldWorkbook } = await import("./workbook/workbook.ts");
  if (content.kind === "old workbook") return refuseOldWorkbook(content.bytes, path);
  const { sheet, rows } = await openWorkbook(content.bytes, path, options.sheet);
  return { rows, sheet, delimiter: "," };
}

async function openRows({ rows, sheet, delimiter }: Records, path: string, options: SheetOptions): Promise<Sheet> {
  const { top, others } = await findTop(rows, options);
  if (top === undefined) throw unreadableSheet(path, "it is empty", { hint: "Its first line names the columns." });
  if (top.faults !== undefined) throw wrongCells(path, top);
  const { names, header, violations, advice } = readHeader(top, options);
  if (violations.length > 0) {
    const below = others.slice(0, titlesMaxCount).find((row) => readHeader(row, options).violations.length === 0);
    const titles = below && `Line ${below.line} has them: delete the lines above it.`;
    throw wrongHeader(path, violations, { line: top.line, advice: titles ?? advice, names });
  }
  const reading = { path, header, headerLine: top.line, sheet, ragged: options.ragged };
  return { header, delimiter, sheet, rows: rowsOf(others, rows, reading) };
}

/** A row as names of columns, and what is wrong with it as such. */
function readHeader({ cells }: SheetRow, options: SheetOptions) {
  const names = namedCells(cells);
  const header = canonicalNames(names, options.columnsFor?.(names) ?? options);
  const columns = options.columnsFor?.(header) ?? options;
  return { names, header, violations: headerViolations(header, columns), advice: columns.advice };
}

/** Finds the row with the names, and returns the rows that were read after it. */
async function findTop(
  rows: Records["rows"],
  options: SheetOptions,
): Promise<{ readonly top: SheetRow | undefined; readonly others: readonly SheetRow[] }> {
  const read: SheetRow[] = [];
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    read.push(...next.value.filter(hasText));
    if (read.length > (options.titled === true ? titlesMaxCount : 0)) break;
  }
  const isHeader = ({ cells }: SheetRow) => {
    const names = canonicalNames(cells, options);
    return options.required?.every((name) => names.includes(name)) === true;
  };
  const found = options.titled === true ? read.slice(0, titlesMaxCount).findIndex(isHeader) : 0;
  const place = Math.max(found, 0);
  return { top: read[place], others: read.slice(place + 1) };
}

interface Reading {
  readonly path: string;
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly sheet: string | undefined;
  readonly ragged: SheetOptions["ragged"];
}

async function* rowsOf(
  first: readonly SheetRow[],
  rows: Records["rows"],
  reading: Reading,
): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield checkRows(first, reading);
    for await (const some of rows) yield checkRows(some, reading);
  } finally {
    await rows.return(undefined);
  }
}

function checkRows(records: readonly SheetRow[], reading: Reading): readonly SheetRow[] {
  const { path, header, headerLine, ragged } = reading;
  const rows: SheetRow[] = [];
  for (const record of records) {
    // Merged cells of a workbook are reported at its end, including those of titles above the header.
    if (!hasText(record) || record.line < headerLine) continue;
    const row = record.cells.length === header.length ? record : fitted(record, reading);
    if (ragged !== "keep") {
      if (row.faults !== undefined) throw wrongCells(path, row);
      const violation = cellCountViolation(row.cells, header);
      if (violation !== undefined) throw unreadableLine(path, row.line, `it ${violation}`, "Correct the row.");
    }
    rows.push(row);
  }
  return rows;
}

/** A row without empty cells beyond the header; in a workbook, missing cells at its end are added. */
function fitted(row: SheetRow, { header, sheet }: Reading): SheetRow {
  const { line, cells, faults = [] } = row;
  const beyond = cells.findIndex((cell, index) => index >= header.length && cell.trim() !== "");
  if (sheet === undefined) return beyond < 0 && cells.length > header.length ? cut(row, header.length) : row;
  const padded = Array.from({ length: header.length }, (_, index) => cells[index] ?? "");
  const unnamed = { cell: `${sheet}!${columnName(beyond)}${line}`, problem: "has no heading: its column has no name" };
  const all = beyond < 0 ? faults : [...faults, unnamed];
  return { ...row, cells: padded, ...(all.length === 0 ? {} : { faults: all }) };
}

function cut(row: SheetRow, length: number): SheetRow {
  return { ...row, cells: row.cells.slice(0, length) };
}

function hasText({ cells, faults }: SheetRow): boolean {
  return faults !== undefined || cells.some((cell) => cell.trim() !== "");
}

function wrongCells(path: string, { faults = [] }: SheetRow): Failure {
  const [first] = faults;
  return new Failure("usage", `${visible(path)}: ${visible(first?.cell ?? "")} ${first?.problem ?? ""}.`, {
    hint: "Correct it in the spreadsheet, and save it again.",
    details: Object.fromEntries(faults.map(({ cell, problem }) => [cell, problem])),
  });
}

function wrongHeader(
  path: string,
  violations: readonly string[],
  {
    line,
    advice,
    names,
  }: { readonly line: number; readonly advice: string | undefined; readonly names: readonly string[] },
): Failure {
  const rule = `Line ${line} names the columns, in any order${foundNames(names)}.`;
  return new Failure("usage", `The header of ${visible(path)} is not valid: ${violations.join("; ")}.`, {
    hint: advice === undefined ? rule : `${rule} ${advice}`,
    details: { [`line ${line}`]: violations.join("; ") },
  });
}

/** How many names are shown, and how much of each: enough to compare at a glance. */
const foundMaxCount = 8;
const foundMaxChars = 24;

function foundNames(names: readonly string[]): string {
  const found = names.map((name) => name.trim()).filter((name) => name !== "");
  if (found.length === 0) return "";
  const shown = found.slice(0, foundMaxCount).map((name) => quote(name.slice(0, foundMaxChars).toWellFormed()));
  const more = found.length > foundMaxCount ? ` and ${found.length - foundMaxCount} more` : "";
  return `; found: ${shown.join(", ")}${more}`;
}
