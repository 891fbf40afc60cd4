import { pad } from "./cut-text.ts";
import { widthOf } from "./text-width.ts";

const gap = "  ";

/**
 * Aligns cells in columns, the first to the left, figures to the right. The first line has headings if its first cell
 * is empty: on a terminal that is too narrow, each other line then becomes a name with its figures below it.
 * @param width columns of the terminal; undefined for unlimited lines
 */
export function figureLines(lines: readonly (readonly string[])[], width: number | undefined): readonly string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const beside = lines.map((line) =>
    line.map((cell, column) => pad(cell, widths[column] ?? 0, column === 0 ? "left" : "right")).join(gap),
  );
  const [headings = [], ...rest] = lines;
  if (width === undefined || headings[0] !== "" || beside.every((line) => widthOf(line) <= width)) return beside;
  return rest.flatMap(([name = "", ...figures]) => {
    const named = figures.map((figure, at) => [headings[at + 1] ?? "", figure]);
    return [name, ...figureLines(named, undefined).map((line) => gap + line)];
  });
}
