/** A column of a table, as far as drawing it goes. */
export interface Column {
  readonly align: "left" | "right";
  /** Text may be cut to fit a terminal; amounts, ids and times never are. */
  readonly mayCut: boolean;
  /** Where cutting texts makes no room, what is lowest is left out first, from the right; see `stay`. */
  readonly stay: number;
  readonly heading: string;
  /** Kept free for wider cells that may still come, where the line has it to spare. */
  room: number;
  /** True where the terminal is too narrow for it. */
  leftOut: boolean;
  /** The widest that was met so far, up to `alignedMaxWidth`. */
  natural: number;
  /** What cells are padded to. */
  width: number;
}

/** How long columns stay where a terminal is narrow: what says how much, longest. */
export const stay = {
  usual: 0,
  /** What tells rows apart, where the amounts alone say something. */
  yielding: 1,
  currency: 2,
  amount: 3,
  /** A line may be longer than the terminal for it. */
  always: 4,
} as const;

/** Cells beyond this width are written whole and push the rest of their line aside; others are not padded for them. */
export const alignedMaxWidth = 200;
/** A text column is made no narrower than this, or its heading, while there is another way to fit a terminal. */
const textGoodWidth = 12;
/** A text column is made no narrower than this to fit a terminal. */
const textMinWidth = 6;
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
  for (const column of columns) column.width = Math.max(column.natural, column.room);
}

/**
 * Makes lines no longer than a line of the terminal: texts are cut first; where that is not enough, columns are left
 * out, amounts last. What stays is whole.
 */
export async function fit(columns: readonly Column[], lineWidth: number): Promise<void> {
  const ruler = await rulerFor([columns.map((column) => column.heading)]);
  for (;;) {
    const shown = columns.filter((column) => !column.leftOut);
    for (const column of shown) column.width = Math.max(column.natural, column.room);
    const texts = shown.filter((column) => column.mayCut);
    shrink(shown, texts, lineWidth, (column) => Math.max(textGoodWidth, ruler.widthOf(column.heading)));
    shrink(shown, shown, lineWidth, (column) => (column.mayCut ? column.width : column.natural));
    shrink(shown, texts, lineWidth, () => textMinWidth);
    if (lengthOf(shown) <= lineWidth) return;
    const lowest = Math.min(...shown.map((column) => column.stay));
    const last = shown.findLast((column) => column.stay === lowest);
    if (last === undefined || lowest === stay.always || shown.length === 1) return;
    last.leftOut = true;
  }
}

/** Narrows the widest of some columns, again and again, until the line fits or all of them are at their floors. */
function shrink(
  shown: readonly Column[],
  some: readonly Column[],
  lineWidth: number,
  floorOf: (column: Column) => number,
): void {
  const floors = new Map(some.map((column) => [column, floorOf(column)]));
  for (let excess = lengthOf(shown) - lineWidth; excess > 0; excess--) {
    const spare = some.filter((column) => column.width > (floors.get(column) ?? 0));
    const widest = spare.reduce<Column | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined);
    if (widest === undefined) return;
    widest.width--;
  }
}

function lengthOf(shown: readonly Column[]): number {
  return shown.reduce((sum, column) => sum + column.width, gap.length * (shown.length - 1));
}

/** Lines of padded cells, without blanks at their ends. */
export async function drawLines(columns: readonly Column[], lines: readonly (readonly string[])[]): Promise<string> {
  const ruler = await rulerFor(lines);
  let text = "";
  for (const line of lines) {
    const cells = columns.flatMap((column, index) => (column.leftOut ? [] : pad(line[index] ?? "", column, ruler)));
    text += `${cells.join(gap).trimEnd()}\n`;
  }
  return text;
}

/** The line between the headings and the rows of a terminal's table, which never goes on in the next line. */
export function ruleUnder(columns: readonly Column[], lineWidth: number | undefined): string {
  const shown = columns.filter((column) => !column.leftOut);
  return `${shown
    .map((column) => "─".repeat(column.width))
    .join(gap)
    .slice(0, lineWidth)}\n`;
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
