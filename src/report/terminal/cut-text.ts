import { beginningOf, isPlain, widthOf } from "./text-width.ts";

/**
 * A text cut to `width` columns with `…`. Text that isn't plain ASCII is cut by cli-table3, which is loaded for the
 * first such text and gets no more of it than could be shown.
 */
export async function cutText(text: string, width: number): Promise<string> {
  if (isPlain(text)) return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
  if (widthOf(text) <= width) return text;
  const { cutCell } = await import("../table/table-layout.ts");
  return cutCell(beginningOf(text, width) + " ".repeat(width), width);
}

/** A text in lines of `width` columns, broken between words; a longer word stays whole. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line];
}

/** Pads a cell to the width of its column; a wider cell is unchanged. */
export function pad(text: string, width: number, align: "left" | "right"): string {
  const padding = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "right" ? padding + text : text + padding;
}
