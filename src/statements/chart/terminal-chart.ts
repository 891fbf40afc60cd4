import type { Period } from "../../values/time/period.ts";
import { axisNumbers, dateTicks, scaleOf } from "./axis.ts";
import type { CurveSlice } from "./balance-curve.ts";
import { narrowed, rangeOf } from "./balance-curve.ts";

/** What a chart is drawn with. */
interface Strokes {
  readonly level: string;
  readonly wall: string;
  readonly axis: string;
  readonly corner: string;
  readonly tick: string;
  /** Where a level from the left turns up or down, and where a level begins after a rise or a fall. */
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

/** The most lines of a chart, without its lowest one and its axis of days. */
const chartMaxRows = 12;
/** About how many numbers the axis has, without the lowest. */
const levels = 4;
const plotMinColumns = 8;
/** Columns that a day's name and the spaces around it take. */
const dayColumns = 10;
const axisColumns = 2;

export interface ChartView {
  /** Characters in a line. */
  readonly width: number;
  readonly ascii: boolean;
}

/** The number of columns for the curve, beside numbers of `numberColumns`. */
export function plotColumns({ width }: ChartView): number {
  return Math.max(plotMinColumns, width - axisColumns - numberColumns);
}

/** Room for a number on the axis, `-999.99M`; where one takes more, the curve is narrower. */
const numberColumns = 8;

/** The lines of a chart drawn with characters, a column for each slice, to print under a table. */
export function terminalChart(slices: readonly CurveSlice[], period: Period, view: ChartView): readonly string[] {
  const { low, high } = rangeOf(slices);
  const scale = scaleOf(low, high, levels);
  const steps = Math.round((scale.high - scale.low) / scale.step);
  const rowsPerStep = Math.max(1, Math.floor(chartMaxRows / steps));
  const top = steps * rowsPerStep;
  const numbers = axisNumbers(scale);
  const margin = Math.max(numberColumns, ...numbers.map((number) => number.length));
  const curve = narrowed(slices, Math.max(plotMinColumns, slices.length - (margin - numberColumns)));
  const strokes = view.ascii ? asciiStrokes : unicodeStrokes;
  const plot = drawSteps(curve, top, (value) => Math.round(((value - scale.low) / scale.step) * rowsPerStep), strokes);
  const lines = plot.map((line, index) => {
    const [step, rest] = [Math.floor((top - index) / rowsPerStep), (top - index) % rowsPerStep];
    const number = rest === 0 ? (numbers[step] ?? "") : "";
    return `${number.padStart(margin)} ${rest === 0 ? strokes.axis : strokes.wall}${line}`;
  });
  const days = daysBelow(curve.length, period, strokes).map((line) => `${" ".repeat(margin + 1)}${line}`);
  return [...lines.map((line) => line.trimEnd()), ...days];
}

/** The curve itself, highest line first. */
function drawSteps(
  slices: readonly CurveSlice[],
  top: number,
  rowOf: (value: number) => number,
  strokes: Strokes,
): string[] {
  const grid = Array.from({ length: top + 1 }, () => Array.from({ length: slices.length }, () => " "));
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
  return [`${strokes.corner}${line.join("")}`, ` ${names}`.trimEnd()];
}

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** The balance in one line, a block for each slice: its last balance there, between the lowest and the highest. */
export function sparkline(slices: readonly CurveSlice[]): string {
  const { low, high } = rangeOf(slices);
  const top = blocks.length - 1;
  return slices
    .map(({ last }) => blocks[high === low ? Math.floor(top / 2) : Math.round(((last - low) / (high - low)) * top)])
    .join("");
}
