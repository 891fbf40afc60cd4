import { violation } from "../violation.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayHours = 24;
const dayMs = dayHours * hourMs;
const units = [
  ["d", dayMs],
  ["h", hourMs],
  ["m", minuteMs],
  ["s", secondMs],
  ["ms", 1],
] as const;
const msByUnit = new Map<string, number>(units);
const durationForm = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Slightly less than a Node timer's limit: beyond 2^31 ms, it would fire at once. */
export const timerMaxMs = 24 * dayMs;

/**
 * Reads a duration, in milliseconds: `30s`, `500ms`, `1.5m`. The unit is required, since 30 means seconds to one
 * program and milliseconds to another. Durations without a timer may have a higher limit.
 * @param example a typical value
 * @throws {Failure} usage: no unit, zero, or more than the limit
 */
export function parseDuration(text: string, field: string, example = "30s", maxMs = timerMaxMs): number {
  const [, count, unit = ""] = durationForm.exec(text) ?? [];
  const ms = Math.round(Number(count) * (msByUnit.get(unit) ?? Number.NaN));
  if (ms >= 1 && ms <= maxMs) return ms;
  const problem = Number.isNaN(ms)
    ? "isn't a valid length of time"
    : ms > maxMs
      ? `is longer than ${formatDuration(maxMs)}`
      : "is shorter than a millisecond";
  throw violation({ field, text, problem, example, rule: "a number and one of ms, s, m, h, d" });
}

/** The furthest that a window looks back. */
export const windowMaxMs = 366 * dayMs;

/**
 * How far something looks back, in milliseconds: `24h`, `3d`, or `0` for not at all; undefined for any other text, and
 * for more than 366 days.
 */
export function readWindow(text: string): number | undefined {
  const [, count, unit = "s"] = /^(0)$/.exec(text) ?? durationForm.exec(text) ?? [];
  const ms = Math.round(Number(count) * (msByUnit.get(unit) ?? Number.NaN));
  return ms >= 0 && ms <= windowMaxMs ? ms : undefined;
}

/**
 * Whole days that a person typed, `3d` or `48h`; `0d` for none.
 * @throws {Failure} usage
 */
export function parseWholeDays(text: string, field: string, maxDays: number): number {
  const [, count, unit] = /^(\d+)([dh])$/.exec(text) ?? [];
  const days = Number(count) / (unit === "h" ? dayHours : 1);
  if (Number.isInteger(days) && days <= maxDays) return days;
  const problem = days > maxDays ? `is longer than ${maxDays}d` : "isn't a number of whole days";
  throw violation({ field, text, problem, example: "3d" });
}

/** A duration for people, to the millisecond: `1m 30s`, `500ms`, `2d 3h`. */
export function formatDuration(ms: number): string {
  let rest = Math.round(ms);
  if (rest === 0) return "0s";
  const parts = [];
  for (const [unit, unitMs] of units) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(" ");
}

/** A duration as it is typed, in the largest unit that gives a whole number: `90s`. */
export function durationText(ms: number): string {
  const [unit, unitMs] = units.find(([, each]) => ms % each === 0) ?? ["ms", 1];
  return `${ms / unitMs}${unit}`;
}

/** How long until something is done again: `in 2s`, or `now`. From one second on, in whole seconds. */
export function formatWait(ms: number): string {
  if (ms === 0) return "now";
  return `in ${formatDuration(ms < secondMs ? ms : Math.ceil(ms / secondMs) * secondMs)}`;
}
