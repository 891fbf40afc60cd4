import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dayOfTimestamp, isoDarEsSalaam, wallTime } from "../../src/values/time/wall-time.ts";

const instant = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2200, 0, 1) });

test("the wall clock of Dar es Salaam is three hours ahead of UTC", () => {
  expect(wallTime(Date.UTC(2026, 8, 30, 21, 0, 0))).toBe("2026-10-01 00:00:00");
  expect(wallTime(Date.UTC(2026, 9, 1, 5, 4, 3, 999))).toBe("2026-10-01 08:04:03");
  expect(wallTime(-1)).toBe("1970-01-01 02:59:59");
});

test("the wall clock agrees with the platform's time zone data", () => {
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Africa/Dar_es_Salaam",
    dateStyle: "short",
    timeStyle: "medium",
  });
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2100, 0, 1) }), (epochMs) => {
      expect(wallTime(epochMs)).toBe(clock.format(epochMs));
    }),
  );
});

test("a timestamp with its zone is the same instant for every reader", () => {
  expect(isoDarEsSalaam(Date.UTC(2026, 9, 1, 5, 0, 0))).toBe("2026-10-01T08:00:00+03:00");
  fc.assert(
    fc.property(instant, (epochMs) => {
      expect(Date.parse(isoDarEsSalaam(epochMs))).toBe(Math.floor(epochMs / 1000) * 1000);
    }),
  );
});

test.each([
  "2026-10-01",
  "2026-10-01 23:59:59",
  "2026-10-01T00:30:00+03:00",
  "2026-10-01T23:30:00.123+03:00",
  "2026-10-01T23:30:00.123+0300",
  "2026-09-30T21:00:00Z",
  "2026-10-01T20:59:59.999Z",
  "2026-09-30 22:30:00Z",
  "2026-09-30T10:00:00-11:00",
  "2026-10-02T00:30+05:00",
  "2026-10-02T00:30:00+0500",
])("the day of %s is the one in Dar es Salaam", (text) => {
  expect(dayOfTimestamp(text)).toBe("2026-10-01");
});

test.each(["", "yesterday", "2026-02-30 10:00:00", "2026-10-011", "20261001", "01/10/2026", " 2026-10-01", "2026-10"])(
  "%j doesn't start with a day",
  (text) => {
    expect(dayOfTimestamp(text)).toBeUndefined();
  },
);
