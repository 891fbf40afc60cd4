import { pad } from "./cut-text.ts";
import { widthOf } from "./text-width.ts";

const gap = "  ";

/**
 * Cells below each other, the first to the left, figures to the right. The first line holds headings where its first cell
 * is empty. On a terminal that is too narrow for it, each other line is a name, and its figures below it.
 * @param width columns of the terminal; undefined where lines may be of any length
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
