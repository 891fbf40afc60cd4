import type { Period } from "../../values/time/period.ts";
import type { Tick } from "./axis.ts";
import { axisNumbers, dateTicks, scaleOf } from "./axis.ts";
import type { CurveSlice } from "./balance-curve.ts";
import { rangeOf } from "./balance-curve.ts";

/** In the drawing's own units; a page scales it to the width that it has. */
const frame = { width: 960, height: 250, left: 64, right: 12, top: 12, bottom: 28 };
const plotWidth = frame.width - frame.left - frame.right;
const plotHeight = frame.height - frame.top - frame.bottom;
const floor = frame.top + plotHeight;
const levels = 4;
const datesMost = 10;
/** The gap between a number and the plot, and the width of a digit. */
const numberGap = 8;
const digitWidth = 8;

/** Slices of the period: one for each unit of the plot, finer than an eye or a printer can tell. */
export const svgSlices = plotWidth;

/** A drawing, and the number at which its axis begins, which is seldom 0. */
export interface SvgChart {
  readonly svg: string;
  readonly begins: string;
}

/**
 * The balance as a line on its axis, in a drawing whose size does not depend on the number of rows. The page sets the
 * colours.
 */
export function svgChart(slices: readonly CurveSlice[], period: Period, label: string): SvgChart {
  const { low, high } = rangeOf(slices);
  const scale = scaleOf(low, high, levels);
  const y = (value: number) => floor - ((value - scale.low) / (scale.high - scale.low)) * plotHeight;
  const steps = pathOf(slices, y);
  const numbers = axisNumbers(scale);
  const room = Math.max(...numbers.map((number) => number.length)) * digitWidth + numberGap;
  const [left, width] = [Math.min(frame.left - room, 0), Math.max(room - frame.left, 0) + frame.width];
  const svg = [
    `<svg viewBox="${left} 0 ${width} ${frame.height}" role="img" aria-labelledby="chart-label">`,
    `<title id="chart-label">${label}</title>`,
    numbers.map((number, index) => levelLine(number, y(scale.low + index * scale.step))).join(""),
    dateTicks(period, datesMost).map(dateMark).join(""),
    `<path class="axis" d="M${frame.left} ${frame.top}V${floor}H${frame.left + plotWidth}"/>`,
    `<path class="curve" d="M${steps}"/>`,
    "</svg>",
  ].join("\n");
  return { svg, begins: numbers[0] ?? "0" };
}

/** Level until something moves, then vertical, by way of the lowest and the highest balance in between. */
function pathOf(slices: readonly CurveSlice[], y: (value: number) => number): string {
  let path = `${frame.left} ${round(y(slices[0]?.first ?? 0))}`;
  for (const [index, { first, last, low, high }] of slices.entries()) {
    if (first === last && low === high) continue;
    const ways = [low, high, last].filter((value, at, all) => value !== (at === 0 ? first : all[at - 1]));
    path += `H${frame.left + index}${ways.map((value) => `V${round(y(value))}`).join("")}`;
  }
  return `${path}H${frame.left + plotWidth}`;
}

function levelLine(number: string, y: number): string {
  const at = round(y);
  return (
    `<path class="${number === "0" ? "zero" : "level"}" d="M${frame.left} ${at}H${frame.left + plotWidth}"/>` +
    `<text class="number" x="${frame.left - numberGap}" y="${at}" dy="4">${number}</text>`
  );
}

function dateMark({ at, label }: Tick): string {
  const x = round(frame.left + at * plotWidth);
  return `<path class="mark" d="M${x} ${floor}V${floor + 5}"/><text x="${x}" y="${floor + 20}">${label}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
