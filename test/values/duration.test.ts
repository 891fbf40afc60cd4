import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, parseDuration, parseWholeDays, timerMaxMs } from "../../src/values/time/duration.ts";
import { failureOf } from "./failure-of.ts";

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

test("a number and a unit are a duration", () => {
  const texts = ["500ms", "30s", "3m", "2h", "1d", "1.5s", "0.5m", "24d"];
  expect(texts.map((text) => parseDuration(text, "--timeout"))).toEqual([
    500,
    30_000,
    180_000,
    7_200_000,
    86_400_000,
    1500,
    30_000,
    timerMaxMs,
  ]);
});

test("the longest duration still fits a timer", () => {
  expect(timerMaxMs).toBeLessThanOrEqual(2 ** 31 - 1);
  expect(failureOf(() => parseDuration("25d", "--wait-for")).message).toBe('--wait-for "25d" is longer than 24d.');
});

test("a duration for which no timer waits may be longer", () => {
  expect(parseDuration("400d", "--older-than", "400d", 3650 * unitMs.d)).toBe(400 * unitMs.d);
});

test.each(["30", "", "s", "-5s", "+5s", "5 s", "5S", "1e3s", "5sec", "1m30s", "٥s", ".5s", "5.s", "Infinitys"])(
  "%j isn't a valid duration",
  (text) => {
    const failure = failureOf(() => parseDuration(text, "--timeout"));
    expect(failure).toMatchObject({ ending: "usage", hint: expect.stringContaining("--timeout 30s") });
    expect(failure.message).toBe(
      text === "" ? "--timeout is empty." : `--timeout "${text}" isn't a valid length of time.`,
    );
  },
);

test("zero is refused, and so is a duration below a millisecond", () => {
  expect(failureOf(() => parseDuration("0s", "--timeout")).message).toBe(
    '--timeout "0s" is shorter than a millisecond.',
  );
  expect(failureOf(() => parseDuration("0.0001s", "--timeout")).ending).toBe("usage");
  expect(failureOf(() => parseDuration(`${"9".repeat(400)}d`, "--timeout")).message).toContain("is longer than 24d");
});

test("whole days may be given in hours, and other durations are refused", () => {
  expect(["0d", "0h", "3d", "48h", "366d"].map((text) => parseWholeDays(text, "--overlap", 366))).toEqual([
    0, 0, 3, 2, 366,
  ]);
  const told = ["367d", "8808h", "36h", "3", "30s", "1.5d", ""].map(
    (text) => failureOf(() => parseWholeDays(text, "--overlap", 366)).message,
  );
  expect(told).toEqual([
    '--overlap "367d" is longer than 366d.',
    '--overlap "8808h" is longer than 366d.',
    ...["36h", "3", "30s", "1.5d"].map((text) => `--overlap "${text}" isn't a number of whole days.`),
    "--overlap is empty.",
  ]);
});

test("every whole number of every unit is read exactly", () => {
  fc.assert(
    fc.property(fc.constantFrom("ms", "s", "m", "h", "d" as const), fc.integer({ min: 1, max: 24 }), (unit, count) => {
      expect(parseDuration(`${count}${unit}`, "--timeout")).toBe(count * unitMs[unit]);
    }),
  );
});

test("a duration is shown part by part, and the parts add up", () => {
  expect([0, 1, 500, 1500, 90_000, 3_600_000, 183_600_000].map(formatDuration)).toEqual([
    "0s",
    "1ms",
    "500ms",
    "1s 500ms",
    "1m 30s",
    "1h",
    "2d 3h",
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: timerMaxMs }), (ms) => {
      const parts = formatDuration(ms).split(" ");
      expect(parts.map((part) => parseDuration(part, "part")).reduce((sum, part) => sum + part, 0)).toBe(ms);
    }),
  );
});
