import type { Period } from "../../values/time/period.ts";

/** A position on an axis, from 0 to 1, with its label. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

const roundSteps = [1, 2, 2.5, 5, 10];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const hoursPerDay = 24;
/** The most decimals that `toFixed` accepts. */
const decimalsMax = 100;
const shortMaxDigits = 6;
/** Longer periods have labels for months and years, shorter ones for days. */
const dayLabelsMaxDays = 300;

/**
 * A scale of round numbers that includes both ends, in at most about `steps` steps; a step above and below a balance
 * that never moved.
 */
export function scaleOf(low: number, high: number, steps: number): { low: number; high: number; step: number } {
  const rough = (high - low || Math.abs(high) || 1) / steps;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * (roundSteps.find((round) => round * magnitude >= rough) ?? 10);
  const [from, to] = [Math.floor(low / step), Math.ceil(high / step)];
  const isFlat = from === to;
  return { low: (isFlat ? from - 1 : from) * step, high: (isFlat ? to + 1 : to) * step, step };
}

const units: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
];

/**
 * The numbers of a scale, lowest first: `4.5M`, `-250k`, or written out where balances are so close that a short one
 * would be rounded.
 */
export function axisNumbers({ low, high, step }: { low: number; high: number; step: number }): readonly string[] {
  const count = Math.round((high - low) / step) + 1;
  const digits = decimalsOf(step);
  const values = Array.from({ length: count }, (_, index) => Number((low + index * step).toFixed(digits)) || 0);
  const short = values.map((value) => shortNumber(value, step));
  if (short.every((number) => number.replaceAll(/\D/g, "").length <= shortMaxDigits)) return short;
  return values.map((value) => value.toLocaleString("en", { maximumFractionDigits: digits }));
}

function shortNumber(value: number, step: number): string {
  const [size, unit] = units.find(([size]) => Math.abs(value) >= size) ?? [1, ""];
  return `${Number((value / size).toFixed(decimalsOf(step / size)))}${unit}`;
}

/** Digits after the point of a step with two significant digits. */
function decimalsOf(step: number): number {
  const [digits = "", exponent] = step.toExponential(1).split("e");
  const decimals = (digits.endsWith(".0") ? 0 : 1) - Number(exponent);
  return Math.min(Math.max(decimals, 0), decimalsMax);
}

/** The labels of days under a chart, at most `most`; hours for a single day. */
export function dateTicks({ startDate, endDate }: Period, most: number): readonly Tick[] {
  const days = startDate.daysUntil(endDate) + 1;
  if (days === 1) return hourTicks(most);
  const step = Math.ceil(days / Math.max(most, 1));
  const ticks: Tick[] = [];
  for (let day = 0; day < days; day += step)
    ticks.push({ at: day / days, label: dayLabel(startDate.addDays(day).toString(), days) });
  return ticks;
}

function hourTicks(most: number): readonly Tick[] {
  const step = [3, 6, 12].find((hours) => hoursPerDay / hours <= most) ?? hoursPerDay;
  return Array.from({ length: hoursPerDay / step }, (_, index) => ({
    at: (index * step) / hoursPerDay,
    label: `${String(index * step).padStart(2, "0")}:00`,
  }));
}

function dayLabel(day: string, days: number): string {
  const month = months[Number(day.slice(5, 7)) - 1] ?? "";
  return days > dayLabelsMaxDays ? `${month} ${day.slice(0, 4)}` : `${Number(day.slice(8))} ${month}`;
}
