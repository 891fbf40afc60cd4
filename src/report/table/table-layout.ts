import Table from "cli-table3";

const edges = ["top", "bottom", "mid", "left", "right", "middle"];
const corners = ["top-mid", "top-left", "top-right", "bottom-mid", "bottom-left", "bottom-right"];
const crossings = ["left-mid", "mid-mid", "right-mid"];
const noFrame = Object.fromEntries([...edges, ...corners, ...crossings].map((name) => [name, ""]));
const noStyle = { "padding-left": 0, "padding-right": 0, head: [], border: [] };

const otherThanAscii = /[^ -~]+/g;

/** The same names and words are repeated, and measuring them is slow. */
const remembered = new Map<string, number>();
const rememberedMax = 10_000;

/**
 * How many terminal columns a text takes: two for most Chinese characters and emoji, none for combining marks. This
 * file alone loads cli-table3, and only for single cells, since its time grows with the square of a table.
 */
export function widthOf(text: string): number {
  const others = text.match(otherThanAscii) ?? [];
  const ascii = text.length - others.reduce((length, other) => length + other.length, 0);
  return others.reduce((width, other) => width + rememberedWidthOf(other), ascii);
}

/** A cell's text, cut to the width with `…`, and padded where half of a wide character would remain. */
export function cutCell(text: string, width: number): string {
  return cellOf(text, width).toString();
}

function rememberedWidthOf(text: string): number {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const width = measure(text);
  remembered.set(text, width);
  return width;
}

/** The library's cells have at least one column, so a combining mark is measured after a letter. */
function measure(text: string): number {
  const table = cellOf(`x${text}`, null);
  table.toString();
  return (table.options.colWidths[0] ?? 1) - 1;
}

function cellOf(text: string, width: number | null) {
  const table = new Table({ chars: noFrame, style: { ...noStyle }, colWidths: [width] });
  table.push([text]);
  return table;
}
