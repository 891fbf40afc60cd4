/** A column of a table, as far as drawing it goes. */
export interface Column {
  readonly align: "left" | "right";
  /** Text may be cut to fit a terminal; amounts, ids and times never are. */
  readonly mayCut: boolean;
  readonly heading: string;
  /** The widest that was met so far, up to `alignedMaxWidth`. */
  natural: number;
  /** What cells are padded to. */
  width: number;
}

/** Cells beyond this width are written whole and push the rest of their line aside; others are not padded for them. */
export const alignedMaxWidth = 200;
/** A text column is made no narrower than this to fit a terminal. */
const textMinWidth = 12;
const gap = "  ";
const plainAscii = /^[ -~]*$/;

/** Widens the columns for these lines: they only ever grow, so that what is below stays aligned with what is above. */
export async function widen(columns: readonly Column[], lines: readonly (readonly string[])[]): Promise<void> {
  const ruler = await rulerFor(lines);
  for (const line of lines) {
    for (const [index, column] of columns.entries()) {
      const width = ruler.widthOf(line[index] ?? "");
      if (width > column.natural) column.natural = Math.min(width, alignedMaxWidth);
    }
  }
  for (const column of columns) column.width = column.natural;
}

/** Takes from the widest texts what a line of the terminal cannot hold. Where that is not enough, lines are longer. */
export async function fit(columns: readonly Column[], lineWidth: number): Promise<void> {
  const ruler = await rulerFor([columns.map((column) => column.heading)]);
  const floors = new Map(columns.map((column) => [column, Math.max(textMinWidth, ruler.widthOf(column.heading))]));
  const used = columns.reduce((sum, column) => sum + column.width, gap.length * (columns.length - 1));
  for (let excess = used - lineWidth; excess > 0; excess--) {
    const spare = columns.filter((column) => column.mayCut && column.width > (floors.get(column) ?? 0));
    const widest = spare.reduce<Column | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined);
    if (widest === undefined) return;
    widest.width--;
  }
}

/** Lines of padded cells, without blanks at their ends. */
export async function drawLines(columns: readonly Column[], lines: readonly (readonly string[])[]): Promise<string> {
  const ruler = await rulerFor(lines);
  let text = "";
  for (const line of lines) {
    const cells = columns.map((column, index) => pad(line[index] ?? "", column, ruler));
    text += `${cells.join(gap).trimEnd()}\n`;
  }
  return text;
}

/** The line between the headings and the rows of a terminal's table. */
export function ruleUnder(columns: readonly Column[]): string {
  return `${columns.map((column) => "─".repeat(column.width)).join(gap)}\n`;
}

/** What knows how wide a text is drawn. */
interface Ruler {
  widthOf(text: string): number;
  cut(text: string, width: number): string;
}

const plainRuler: Ruler = {
  widthOf: (text) => text.length,
  cut: (text, width) => `${text.slice(0, width - 1)}…`,
};

/**
 * Plain ASCII is as wide as it is long. Other scripts have characters that are drawn two columns wide, or none: their
 * ruler is made of cli-table3, which is loaded for the first such cell.
 */
async function rulerFor(lines: readonly (readonly string[])[]): Promise<Ruler> {
  if (lines.every((cells) => cells.every((cell) => plainAscii.test(cell)))) return plainRuler;
  const { cutCell, widthOf } = await import("./table-layout.ts");
  return { widthOf: (text) => (plainAscii.test(text) ? text.length : widthOf(text)), cut: cutCell };
}

function pad(text: string, { align, mayCut, width }: Column, ruler: Ruler): string {
  const missing = width - ruler.widthOf(text);
  if (missing < 0) return mayCut ? ruler.cut(text, width) : text;
  return align === "right" ? " ".repeat(missing) + text : text + " ".repeat(missing);
}
