import type { RecordBlock } from "./blocks.ts";
import type { SheetRow } from "./sheet-row.ts";

const quoteMark = '"';
const lineEnd = "\n";
const carriageReturnCode = 0x0d;

/**
 * The rows of a block in which each line is a row, as in nearly every block: a fast path. Undefined where a cell
 * contains a quote or a line end, or is not quoted strictly: `quotedRecords` reads or refuses these.
 */
export function plainLines(block: RecordBlock, delimiter: string): SheetRow[] | undefined {
  return block.quoted ? quotedLines(block, delimiter) : unquotedLines(block, delimiter);
}

/** Cells are cut directly out of the text: making a string of each line first would take twice as long. */
function unquotedLines({ text, line }: RecordBlock, delimiter: string): SheetRow[] {
  const rows: SheetRow[] = [];
  let nextDelimiter = placeOf(delimiter, text, 0);
  for (let from = 0; from < text.length;) {
    const end = placeOf(lineEnd, text, from);
    const cells: string[] = [];
    for (; nextDelimiter < end; nextDelimiter = placeOf(delimiter, text, from)) {
      cells.push(text.slice(from, nextDelimiter));
      from = nextDelimiter + delimiter.length;
    }
    cells.push(withoutReturn(text, from, end));
    rows.push({ line: line + rows.length, cells });
    from = end + lineEnd.length;
  }
  return rows;
}

/** The position of the next occurrence; the text's end where there is none. */
function placeOf(wanted: string, text: string, from: number): number {
  const place = text.indexOf(wanted, from);
  return place < 0 ? text.length : place;
}

/** The last cell of a line, which can end in CRLF. */
function withoutReturn(text: string, from: number, end: number): string {
  return text.slice(from, end > from && text.charCodeAt(end - 1) === carriageReturnCode ? end - 1 : end);
}

function quotedLines({ text, line }: RecordBlock, delimiter: string): SheetRow[] | undefined {
  const rows: SheetRow[] = [];
  const lines = text.split(lineEnd);
  if (lines.at(-1) === "") lines.pop();
  for (const [index, ended] of lines.entries()) {
    const plain = withoutReturn(ended, 0, ended.length);
    const cells = plain.includes(quoteMark) ? quotedCells(plain, delimiter) : plain.split(delimiter);
    if (cells === undefined) return undefined;
    rows.push({ line: line + index, cells });
  }
  return rows;
}

function quotedCells(line: string, delimiter: string): string[] | undefined {
  const cells: string[] = [];
  for (let from = 0; ;) {
    const isQuoted = line.startsWith(quoteMark, from);
    const end = isQuoted ? line.indexOf(quoteMark, from + 1) + 1 : placeOf(delimiter, line, from);
    const cell = isQuoted ? line.slice(from + 1, end - 1) : line.slice(from, end);
    if (end === 0 || cell.includes(quoteMark)) return undefined;
    cells.push(cell);
    if (end === line.length) return cells;
    if (!line.startsWith(delimiter, end)) return undefined;
    from = end + delimiter.length;
  }
}
