import { CsvError, parse } from "csv-parse/sync";
import type { Block } from "./blocks.ts";
import type { SheetRow } from "./sheet-row.ts";
import { unreadableLine } from "./sheet-trouble.ts";

const hint = "A cell with a quote in it stands in quotes, and the quote within it is written twice.";

/**
 * The door to csv-parse: records of which some have quoted cells, to the letter of RFC 4180.
 * @throws {Failure} usage, with the line of a quote that stands where none may
 */
export function quotedRecords({ text, line }: Block, delimiter: string, path: string): SheetRow[] {
  const rows: SheetRow[] = [];
  let next = line;
  try {
    parse(text, {
      delimiter,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      on_record(cells: string[]) {
        rows.push({ line: next, cells });
        // Its own count takes CR and LF within quotes for two lines.
        for (const cell of cells) next += cell.split("\n").length - 1;
        next += 1;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadableLine(path, next, wordsOf(error.code), hint);
  }
  return rows;
}

function wordsOf(code: string): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "a quote opens in this row and is never closed";
  if (code === "CSV_INVALID_CLOSING_QUOTE") return "a quoted cell goes on after its quote has closed";
  return "a quote stands within a cell that is not quoted";
}
