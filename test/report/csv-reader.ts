/**
 * A strict reader of RFC 4180, written from its grammar: every line has a line end, quotes are only around a whole cell
 * or doubled inside it, and CR and LF occur outside quotes only as the line end.
 */
export function readCsv(text: string, delimiter = ",", lineEnd: "\n" | "\r\n" = "\n"): string[][] {
  const lines: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const line: string[] = [];
    for (;;) {
      const cell = text.charAt(at) === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter);
      line.push(cell.value);
      at = cell.end;
      if (!text.startsWith(delimiter, at)) break;
      at += delimiter.length;
    }
    if (!text.startsWith(lineEnd, at)) throw new Error(`A line end is missing at ${at} of ${JSON.stringify(text)}`);
    at += lineEnd.length;
    lines.push(line);
  }
  return lines;
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

function quotedCell(text: string, start: number): Cell {
  let value = "";
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) !== '"') value += text.charAt(at);
    else if (text.charAt(at + 1) !== '"') return { value, end: at + 1 };
    else {
      value += '"';
      at++;
    }
  }
  throw new Error(`A quote is not closed at ${start} of ${JSON.stringify(text)}`);
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && !text.startsWith(delimiter, end) && !'\r\n"'.includes(text.charAt(end))) end++;
  if (text.charAt(end) === '"') throw new Error(`A quote inside of a cell at ${end} of ${JSON.stringify(text)}`);
  return { value: text.slice(start, end), end };
}
