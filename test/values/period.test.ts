import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Day } from "../../src/values/time/day.ts";
import { describeFuture, describePeriod, resolvePeriod } from "../../src/values/time/period.ts";
import type { PeriodFlags } from "../../src/values/time/period.ts";
import { failureOf } from "./failure-of.ts";

const today = Day.parse("2026-03-31") ?? new Day(0);
const described = (flags: PeriodFlags) => describePeriod(resolvePeriod(flags, today));
const at = (text: string, flags: PeriodFlags) => describePeriod(resolvePeriod(flags, Day.parse(text) ?? new Day(0)));
const told = (flags: PeriodFlags) => describeFuture(resolvePeriod(flags, today), today);
const refused = (flags: PeriodFlags) => failureOf(() => resolvePeriod(flags, today));

test("each way to give a period leads to its days", () => {
  expect(described({ startDate: "2026-10-01", endDate: "2026-10-31" })).toBe("2026-10-01 to 2026-10-31");
  expect(described({ startDate: "2026-10-01", endDate: "2026-10-01" })).toBe("2026-10-01");
  expect(described({ month: "2024-02" })).toBe("2024-02-01 to 2024-02-29");
  expect(described({ date: "2026-10-05" })).toBe("2026-10-05");
  expect(described({ today: true })).toBe("2026-03-31");
  expect(described({ yesterday: true })).toBe("2026-03-30");
  expect(described({ lastMonth: true })).toBe("2026-02-01 to 2026-02-28");
});

test("a first day alone, this month, this year and the last days end today", () => {
  expect(described({ startDate: "2026-03-05" })).toBe("2026-03-05 to 2026-03-31");
  expect(described({ startDate: "2026-03-31" })).toBe("2026-03-31");
  expect(described({ thisMonth: true })).toBe("2026-03-01 to 2026-03-31");
  expect(described({ year: "2026" })).toBe("2026-01-01 to 2026-03-31");
  expect(described({ year: "2025" })).toBe("2025-01-01 to 2025-12-31");
  expect(described({ last: 7 })).toBe("2026-03-25 to 2026-03-31");
  expect(described({ last: 1 })).toBe("2026-03-31");
});

test("on the first of a month, this month is one day; on the last of a year, the year is whole", () => {
  expect(at("2026-04-01", { thisMonth: true })).toBe("2026-04-01");
  expect(at("2026-12-31", { year: "2026" })).toBe("2026-01-01 to 2026-12-31");
  expect(at("2026-01-01", { year: "2026" })).toBe("2026-01-01");
  expect(at("2026-01-03", { last: 7 })).toBe("2025-12-28 to 2026-01-03");
});

test("a period in the future, wholly or partly, gets a note", () => {
  expect(told({ startDate: "2026-03-30", endDate: "2026-03-31" })).toBeUndefined();
  expect(told({ startDate: "2026-03-30", endDate: "2026-04-01" })).toBe(
    "The period ends in the future: today is 2026-03-31.",
  );
  for (const flags of [{ date: "2026-04-01" }, { year: "2027" }, { startDate: "2026-04-02" }])
    expect(told(flags)).toBe("The whole period is in the future: today is 2026-03-31.");
  expect(described({ startDate: "2026-04-02" })).toBe("2026-04-02");
});

test("an invalid year is refused", () => {
  for (const year of ["26", "20266", "2026-01", "MMXXVI", "0000"])
    expect(refused({ year })).toMatchObject({ ending: "usage", message: `--year "${year}" is not a year.` });
});

test("the month before January is December of the year before", () => {
  const january = resolvePeriod({ lastMonth: true }, Day.parse("2026-01-15") ?? new Day(0));
  expect(describePeriod(january)).toBe("2025-12-01 to 2025-12-31");
});

test("a flag that is off doesn't count as given", () => {
  expect(described({ date: "2026-10-05", month: undefined, today: false, yesterday: false, lastMonth: false })).toBe(
    "2026-10-05",
  );
});

test("two days in order are a period, and in the wrong order they are refused", () => {
  const day = fc.integer({ min: -700_000, max: 2_900_000 });
  fc.assert(
    fc.property(day, fc.nat(30_000), (serial, length) => {
      const startDate = new Day(serial);
      const endDate = new Day(serial + length);
      const flags = { startDate: startDate.toString(), endDate: endDate.toString() };
      expect(resolvePeriod(flags, today)).toEqual({ startDate, endDate });
      const next = { startDate: endDate.addDays(1).toString(), endDate: startDate.toString() };
      expect(refused(next)).toMatchObject({ ending: "usage" });
    }),
  );
});

test("a period is required, and the hint shows every way to give it", () => {
  expect(refused({})).toMatchObject({
    ending: "usage",
    message: "No period is given.",
    hint: "Add --month 2026-03, or --start-date 2026-03-01 --end-date 2026-03-31, or one of --date 2026-03-31, --today, --yesterday, --this-month, --last-month, --last 7d, --year 2026.",
  });
});

test("two ways at once are refused by name", () => {
  expect(refused({ startDate: "2026-10-01", endDate: "2026-10-31", month: "2026-10" }).message).toBe(
    "The period is given in 2 ways: --start-date with --end-date, --month.",
  );
  expect(refused({ today: true, yesterday: true, lastMonth: true }).message).toBe(
    "The period is given in 3 ways: --today, --yesterday, --last-month.",
  );
  expect(refused({ endDate: "2026-10-31", date: "2026-10-01" }).message).toBe(
    "The period is given in 2 ways: --end-date, --date.",
  );
});

test("an end without a start is refused, and the message names --start-date", () => {
  expect(refused({ endDate: "2026-10-31" }).message).toBe("--end-date is given without --start-date.");
});

test("an end before the start is refused, and the hint has them in the right order", () => {
  expect(refused({ startDate: "2026-10-31", endDate: "2026-10-01" })).toMatchObject({
    message: "--end-date 2026-10-01 is before --start-date 2026-10-31.",
    hint: "Swap them: --start-date 2026-10-01 --end-date 2026-10-31.",
  });
});

test("two invalid days are reported at once", () => {
  expect(refused({ startDate: "2026-02-30", endDate: "31.10.2026" })).toMatchObject({
    message:
      '--start-date "2026-02-30" isn\'t a valid calendar day. --end-date "31.10.2026" isn\'t a valid calendar day.',
    details: {
      "--start-date": '--start-date "2026-02-30" isn\'t a valid calendar day.',
      "--end-date": '--end-date "31.10.2026" isn\'t a valid calendar day.',
    },
  });
});

test("months and days that don't exist are refused, and so are empty ones", () => {
  expect(refused({ month: "2026-13" })).toMatchObject({
    message: '--month "2026-13" isn\'t a valid month.',
    hint: "Write it like --month 2026-10: year-month.",
  });
  expect(refused({ month: "" }).message).toBe("--month is empty.");
  expect(refused({ date: "2026-02-29" }).message).toBe('--date "2026-02-29" isn\'t a valid calendar day.');
  expect(refused({ startDate: "", endDate: "2026-10-01" }).message).toBe("--start-date is empty.");
});
