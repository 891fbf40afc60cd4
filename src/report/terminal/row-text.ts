import { cutText, pad, wrapText } from "./cut-text.ts";
import type { RowLayout, PlacedColumn } from "./layout.ts";
import { gap, textMinWidth } from "./layout.ts";
import type { Drawn } from "./shown-rows.ts";
import { widthOf } from "./text-width.ts";

/** The indentation of lines below a row. */
export const belowIndent = "    ";

/** A row: its line, continuation lines of wrapped texts, and the lines below it. */
export async function rowText({ line, below }: RowLayout, at: number, lineWidth: number): Promise<string> {
  const cells: (readonly string[])[] = [];
  for (const column of line) cells.push(await linesOf(column, column.cells[at] ?? "", column.width));
  const height = Math.max(...cells.map((lines) => lines.length));
  const texts = Array.from({ length: height }, (_, index) => joined(line, cells, index));
  for (const text of await belowLines(below, at, lineWidth)) texts.push(belowIndent + text);
  return texts.map((text) => `${text}\n`).join("");
}

function joined(line: readonly PlacedColumn[], cells: readonly (readonly string[])[], index: number): string {
  return line
    .map(({ width, align }, column) => pad(cells[column]?.[index] ?? "", width, align))
    .join(gap)
    .trimEnd();
}

/** A text that must be shown whole takes as many lines as it needs; other texts are cut. */
async function linesOf({ field }: Drawn, cell: string, width: number): Promise<readonly string[]> {
  if (field.whole === true) return wrapText(cell, width);
  return [field.kind === "text" ? await cutText(cell, width) : cell];
}

/** Columns that don't fit on the row's line, as many on a line as fit; with headings where there are several. */
async function belowLines(below: readonly Drawn[], at: number, lineWidth: number): Promise<readonly string[]> {
  const room = lineWidth - belowIndent.length;
  const lines: string[] = [];
  for (const column of below) {
    const cell = column.cells[at] ?? "";
    if (cell === "") continue;
    const name = below.length > 1 && column.heading !== "" ? `${column.heading} ` : "";
    const [first = "", ...others] = await linesOf(column, cell, Math.max(textMinWidth, room - widthOf(name)));
    const last = lines.at(-1);
    const longer = last === undefined ? undefined : last + gap + name + first;
    if (longer !== undefined && others.length === 0 && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(name + first, ...others);
  }
  return lines;
}
