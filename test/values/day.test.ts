import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Day, dayInDarEsSalaam, parseDay } from "../../src/values/time/day.ts";
import { failureOf } from "./failure-of.ts";

const dayMs = 86_400_000;
const first = -719_162;
const last = 2_932_896;
const serial = fc.integer({ min: first, max: last });
const dayAt = (iso: string) => dayInDarEsSalaam(Date.parse(iso)).toString();
/** The reference: the platform's own calendar, in UTC. */
const reference = (days: number) => new Date(days * dayMs).toISOString().slice(0, 10);

test("days are written and read as in the platform's calendar", () => {
  fc.assert(
    fc.property(serial, (days) => {
      expect(new Day(days).toString()).toBe(reference(days));
      expect(Day.parse(reference(days))).toEqual(new Day(days));
    }),
    { numRuns: 2000 },
  );
});

test("every day around each turn of a century is right", () => {
  for (const year of [4, 100, 400, 1582, 1900, 1970, 2000, 2024, 2026, 2100, 9999]) {
    const start = Date.UTC(2000, 0, 1) / dayMs;
    const january = start + Math.round((new Date(0).setUTCFullYear(year, 0, 1) - Date.UTC(2000, 0, 1)) / dayMs);
    for (let days = january; days < january + 365; days++) expect(new Day(days).toString()).toBe(reference(days));
  }
});

test("the calendar goes from 0001-01-01 to 9999-12-31", () => {
  expect([new Day(first).toString(), new Day(last).toString()]).toEqual(["0001-01-01", "9999-12-31"]);
  expect(failureOf(() => new Day(first).addDays(-1))).toMatchObject({ ending: "usage" });
  expect(failureOf(() => new Day(last).addDays(1))).toMatchObject({ ending: "usage" });
  expect(failureOf(() => new Day(0).addDays(1.5))).toMatchObject({ ending: "usage" });
  expect(failureOf(() => new Day(0).addDays(Number.NaN))).toMatchObject({ ending: "usage" });
});

test.each([
  "2026-02-30",
  "2026-02-29",
  "2100-02-29",
  "2026-04-31",
  "2026-13-01",
  "2026-00-10",
  "2026-10-00",
  "0000-12-31",
  "2026-1-1",
  "26-10-01",
  "2026/10/01",
  "01-10-2026",
  "2026-10-01 ",
  "2026-10-01T00:00:00",
  "-026-10-01",
  "٢٠٢٦-١٠-٠١",
  "",
])("%j isn't a day", (text) => {
  expect(Day.parse(text)).toBeUndefined();
});

test("leap days exist in leap years", () => {
  expect(["2024-02-29", "2000-02-29", "0004-02-29"].map((text) => Day.parse(text)?.toString())).toEqual([
    "2024-02-29",
    "2000-02-29",
    "0004-02-29",
  ]);
});

test("adding days goes forward and back, and matches the distance between days", () => {
  fc.assert(
    fc.property(serial, serial, (from, to) => {
      const day = new Day(from);
      const between = day.daysUntil(new Day(to));
      expect(day.addDays(between).toString()).toBe(reference(to));
      expect(day.compare(new Day(to))).toBe(Math.sign(from - to) + 0);
    }),
  );
});

test("a month starts on its first day and ends before the next month", () => {
  fc.assert(
    fc.property(serial, (days) => {
      const day = new Day(days);
      expect(day.firstOfMonth().toString()).toBe(`${reference(days).slice(0, 7)}-01`);
      const end = day.lastOfMonth();
      expect(end.toString().slice(0, 7)).toBe(reference(days).slice(0, 7));
      expect(reference(end.serial + 1).slice(8)).toBe("01");
    }),
  );
});

test("a month is read as its first day", () => {
  expect(Day.parseMonth("2026-10")?.toString()).toBe("2026-10-01");
  expect(
    ["2026-13", "2026-00", "0000-01", "2026-1", "2026", "2026-10-01", ""].map((text) => Day.parseMonth(text)),
  ).toEqual(Array(7).fill(undefined));
});

test("the day in Dar es Salaam begins three hours earlier than in UTC", () => {
  expect(dayAt("2026-09-30T20:59:59.999Z")).toBe("2026-09-30");
  expect(dayAt("2026-09-30T21:00:00.000Z")).toBe("2026-10-01");
  expect(dayAt("1969-12-31T21:00:00.000Z")).toBe("1970-01-01");
  expect(dayAt("1969-12-31T20:59:59.999Z")).toBe("1969-12-31");
});

test("in JSON and in a template a day is its text", () => {
  expect(JSON.stringify({ startDate: parseDay("2026-10-01", "--start-date") })).toBe('{"startDate":"2026-10-01"}');
  expect(String(new Day(0))).toBe("1970-01-01");
});

test("an invalid day is reported with its flag and an example", () => {
  expect(failureOf(() => parseDay("2026-02-30", "--date"))).toMatchObject({
    ending: "usage",
    message: '--date "2026-02-30" isn\'t a valid calendar day.',
    hint: "Write it like --date 2026-10-31: year-month-day.",
  });
  expect(failureOf(() => parseDay("", "--date")).message).toBe("--date is empty.");
});
