import type { Failure } from "../values/failure.ts";
import type { RecordBlock } from "./blocks.ts";
import type { SheetRow } from "./sheet-row.ts";
import { unreadableLine } from "./sheet-failures.ts";

const quoteMark = '"';
const quoteCode = 0x22;
const lineFeedCode = 0x0a;
const carriageReturnCode = 0x0d;

const violations = {
  open: "a quote opens in this row and is never closed",
  goesOn: "a quoted cell continues after its closing quote",
  within: "a quote is inside a cell that is not quoted",
} as const;
const hint = "Put a cell with a quote into quotes, and write the quote within it twice.";

/** A cell, and the position after it. */
interface Cell {
  readonly text: string;
  readonly end: number;
}

/**
 * Records with quoted cells, strictly by RFC 4180. Each character is scanned a few times at most.
 * @throws {Failure} usage, with the line of a misplaced quote
 */
export function quotedRecords({ text, line }: RecordBlock, delimiter: string, path: string): SheetRow[] {
  const rows: SheetRow[] = [];
  let next = line;
  const violation = (what: keyof typeof violations): Failure => unreadableLine(path, next, violations[what], hint);
  for (let at = 0; at < text.length;) {
    const cells: string[] = [];
    const start = next;
    for (let isMore = true; isMore;) {
      const cell =
        text.charCodeAt(at) === quoteCode ? quotedCell(text, at, violation) : bareCell(text, at, delimiter, violation);
      cells.push(cell.text);
      at = cell.end;
      isMore = text.startsWith(delimiter, at);
      if (isMore) at += delimiter.length;
    }
    const end = lineEndAt(text, at);
    if (end === undefined) throw violation("goesOn");
    at = end;
    for (const cell of cells) next += lineFeedsIn(cell);
    next += 1;
    rows.push({ line: start, cells });
  }
  return rows;
}

/** The cell that begins with this quote, up to its closing one. */
function quotedCell(text: string, start: number, violation: (what: "open") => Failure): Cell {
  let isDoubled = false;
  for (let end = text.indexOf(quoteMark, start + 1); end >= 0; end = text.indexOf(quoteMark, end + 2)) {
    if (text.charCodeAt(end + 1) !== quoteCode) {
      const between = text.slice(start + 1, end);
      return { text: isDoubled ? between.replaceAll('""', quoteMark) : between, end: end + 1 };
    }
    isDoubled = true;
  }
  throw violation("open");
}

/** The cell that begins here without a quote, up to its delimiter or the end of its line. */
function bareCell(text: string, start: number, delimiter: string, violation: (what: "within") => Failure): Cell {
  const delimiterCode = delimiter.charCodeAt(0);
  for (let end = start; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quoteCode) throw violation("within");
    const isOver = code === delimiterCode ? text.startsWith(delimiter, end) : lineEndAt(text, end) !== undefined;
    if (isOver) return { text: text.slice(start, end), end };
  }
}

/** Where the next line begins, if a line ends here; a carriage return alone ends none. */
function lineEndAt(text: string, at: number): number | undefined {
  if (at === text.length) return at;
  const code = text.charCodeAt(at);
  if (code === lineFeedCode) return at + 1;
  return code === carriageReturnCode && text.charCodeAt(at + 1) === lineFeedCode ? at + 2 : undefined;
}

function lineFeedsIn(cell: string): number {
  let found = 0;
  for (let at = cell.indexOf("\n"); at >= 0; at = cell.indexOf("\n", at + 1)) found += 1;
  return found;
}
