/** A column of a table, with what is needed to draw it. */
export interface Column {
  readonly align: "left" | "right";
  readonly heading: string;
  /** The least width, for wider cells that may still come. */
  room: number;
  /** The widest cell so far, up to `alignedMaxWidth`. */
  natural: number;
  /** What cells are padded to. */
  width: number;
}

/**
 * Cells beyond this width are written whole, and push the rest of their line to the right; others are not padded for
 * them.
 */
const alignedMaxWidth = 200;
const gap = "  ";
const plainAscii = /^[ -~]*$/;

/** Widens the columns for these lines. They only grow, so that lines stay aligned with earlier ones. */
export async function widen(columns: readonly Column[], lines: readonly (readonly string[])[]): Promise<void> {
  const widthOf = await rulerFor(lines);
  for (const line of lines) {
    for (const [index, column] of columns.entries()) {
      const width = widthOf(line[index] ?? "");
      if (width > column.natural) column.natural = Math.min(width, alignedMaxWidth);
    }
  }
  for (const column of columns) column.width = Math.max(column.natural, column.room);
}

/** Lines of padded cells, without trailing spaces. */
export async function drawLines(columns: readonly Column[], lines: readonly (readonly string[])[]): Promise<string> {
  const widthOf = await rulerFor(lines);
  let text = "";
  for (const line of lines) {
    const cells = columns.map((column, index) => pad(line[index] ?? "", column, widthOf));
    text += `${cells.join(gap).trimEnd()}\n`;
  }
  return text;
}

/** Measures how wide a text is drawn. */
type Ruler = (text: string) => number;

/**
 * Plain ASCII is as wide as it is long. Other scripts have characters that are two columns wide, or none: cli-table3
 * measures them, and is loaded for the first such cell.
 */
async function rulerFor(lines: readonly (readonly string[])[]): Promise<Ruler> {
  if (lines.every((cells) => cells.every((cell) => plainAscii.test(cell)))) return (text) => text.length;
  const { widthOf } = await import("./table-layout.ts");
  return (text) => (plainAscii.test(text) ? text.length : widthOf(text));
}

function pad(text: string, { align, width }: Column, widthOf: Ruler): string {
  const missing = width - widthOf(text);
  if (missing < 0) return text;
  return align === "right" ? " ".repeat(missing) + text : text + " ".repeat(missing);
}
