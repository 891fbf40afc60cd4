import type { Block } from "./blocks.ts";
import type { SheetRow } from "./sheet-row.ts";

const quoteMark = '"';

/**
 * The rows of a block in which each line is a row, which is nearly every one: read by hand, since csv-parse takes eight
 * times as long for them. Undefined where a cell holds a quote or a line end, or is quoted otherwise than to the letter:
 * that is csv-parse's to read or to refuse.
 */
export function plainLines({ text, line, quoted }: Block, delimiter: string): SheetRow[] | undefined {
  const rows: SheetRow[] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, ended] of lines.entries()) {
    const plain = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    const cells = quoted && plain.includes(quoteMark) ? quotedCells(plain, delimiter) : plain.split(delimiter);
    if (cells === undefined) return undefined;
    rows.push({ line: line + index, cells });
  }
  return rows;
}

function quotedCells(line: string, delimiter: string): string[] | undefined {
  const cells: string[] = [];
  for (let from = 0; ;) {
    const isQuoted = line.startsWith(quoteMark, from);
    const end = isQuoted ? line.indexOf(quoteMark, from + 1) + 1 : endOfCell(line, delimiter, from);
    const cell = isQuoted ? line.slice(from + 1, end - 1) : line.slice(from, end);
    if (end === 0 || cell.includes(quoteMark)) return undefined;
    cells.push(cell);
    if (end === line.length) return cells;
    if (!line.startsWith(delimiter, end)) return undefined;
    from = end + delimiter.length;
  }
}

function endOfCell(line: string, delimiter: string, from: number): number {
  const end = line.indexOf(delimiter, from);
  return end < 0 ? line.length : end;
}
