import type { Period } from "../../values/period.ts";
import { dateTicks, scaleOf, shortNumber } from "./axis.ts";
import type { CurveSlice } from "./balance-curve.ts";
import { rangeOf } from "./balance-curve.ts";

/** What a chart is drawn with. */
interface Strokes {
  readonly level: string;
  readonly wall: string;
  readonly axis: string;
  readonly corner: string;
  readonly tick: string;
  /** Where a level that comes from the left goes up or down, and where one begins that came from below or above. */
  readonly leaves: { readonly up: string; readonly down: string };
  readonly arrives: { readonly up: string; readonly down: string };
}

const unicodeStrokes: Strokes = {
  level: "─",
  wall: "│",
  axis: "┤",
  corner: "└",
  tick: "┬",
  leaves: { up: "┘", down: "┐" },
  arrives: { up: "┌", down: "└" },
};

const asciiStrokes: Strokes = {
  level: "-",
  wall: "|",
  axis: "|",
  corner: "+",
  tick: "+",
  leaves: { up: "+", down: "+" },
  arrives: { up: "+", down: "+" },
};

/** Lines of a chart, without its axis of days. */
const chartRows = 11;
/** Lines from one number on the axis to the next. */
const rowsPerNumber = 2.75;
const plotMinColumns = 8;
/** Columns that a day's name and the blanks around it take. */
const dayColumns = 10;
const axisColumns = 2;

export interface ChartView {
  /** Characters in a line. */
  readonly width: number;
  readonly ascii: boolean;
}

/** How many columns are left for the curve, where the numbers beside it need up to so many. */
export function plotColumns({ width }: ChartView): number {
  return Math.max(plotMinColumns, width - axisColumns - numberColumns);
}

/** Room for a number on the axis: `-999.99M`. */
const numberColumns = 8;

/** A balance drawn with characters, a column for each slice: lines to stand under a table. */
export function terminalChart(slices: readonly CurveSlice[], period: Period, view: ChartView): readonly string[] {
  const { low, high } = rangeOf(slices);
  const scale = scaleOf(low, high, chartRows / rowsPerNumber);
  const strokes = view.ascii ? asciiStrokes : unicodeStrokes;
  const rowOf = (value: number) => Math.round(((value - scale.low) / (scale.high - scale.low)) * (chartRows - 1));
  const plot = drawSteps(slices, rowOf, strokes);
  const numbers = numbersBeside(scale, rowOf);
  const lines = plot.map((line, index) => {
    const number = numbers.get(chartRows - 1 - index);
    return `${(number ?? "").padStart(numberColumns)} ${number === undefined ? strokes.wall : strokes.axis}${line}`;
  });
  return [...lines.map((line) => line.trimEnd()), ...daysBelow(slices.length, period, strokes)];
}

function numbersBeside(
  { low, high, step }: { low: number; high: number; step: number },
  rowOf: (value: number) => number,
): ReadonlyMap<number, string> {
  const count = Math.round((high - low) / step);
  return new Map(
    Array.from({ length: count + 1 }, (_, index) => {
      const value = low + index * step;
      return [rowOf(value), shortNumber(value)];
    }),
  );
}

/** The curve itself, highest line first. */
function drawSteps(slices: readonly CurveSlice[], rowOf: (value: number) => number, strokes: Strokes): string[] {
  const grid = Array.from({ length: chartRows }, () => Array.from({ length: slices.length }, () => " "));
  for (const [column, { first, last, low, high }] of slices.entries()) {
    const [from, to] = [rowOf(first), rowOf(last)];
    for (let row = rowOf(low); row <= rowOf(high); row += 1) put(grid, row, column, strokes.wall);
    put(grid, from, column, from === to ? strokes.level : from < to ? strokes.leaves.up : strokes.leaves.down);
    if (from !== to) put(grid, to, column, from < to ? strokes.arrives.up : strokes.arrives.down);
  }
  return grid.toReversed().map((cells) => cells.join(""));
}

function put(grid: string[][], row: number, column: number, stroke: string): void {
  const cells = grid[row];
  if (cells !== undefined) cells[column] = stroke;
}

function daysBelow(columns: number, period: Period, strokes: Strokes): string[] {
  const line = Array.from({ length: columns }, () => strokes.level);
  let names = "";
  for (const { at, label } of dateTicks(period, Math.floor(columns / dayColumns))) {
    const column = Math.round(at * columns);
    if (column + label.length > columns || column < names.length) continue;
    line[column] = strokes.tick;
    names = names.padEnd(column) + label;
  }
  const margin = " ".repeat(numberColumns + 1);
  return [`${margin}${strokes.corner}${line.join("")}`, `${margin} ${names}`.trimEnd()];
}
