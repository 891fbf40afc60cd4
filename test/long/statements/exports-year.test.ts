import { expect, test } from "vitest";
import type { Mishaps } from "./export-year.ts";
import { exportYear } from "./export-year.ts";
import type { Habits } from "./late-bank.ts";

// A year of daily exports, by seeds, with faults of the service and the machine. In the end the files equal the
// statements of their months, or an exit code says why not.

/** One of them takes 35 s of the processor, for all services together. */
const seeds = Number(process.env["PARTNER_SEEDS"] ?? 12);
const firstSeed = Number(process.env["PARTNER_FROM"] ?? 1);

const plain: Habits = {
  isNewestFirst: false,
  isSortedByDay: false,
  latePercent: 0,
  backdatedPercent: 0,
  jumpPercent: 0,
  changePercent: 0,
  pairPercent: 0,
};
const mishaps: Mishaps = { killPercent: 10, gapPercent: 10, clockPercent: 5, downPercent: 5 };

const banks: Readonly<Record<string, Habits>> = {
  "shows every row at once": plain,
  "shows rows late": { ...plain, latePercent: 0.7, pairPercent: 1 },
  "shows rows late and newest first": { ...plain, latePercent: 0.7, pairPercent: 1, isNewestFirst: true },
  "books rows with days of before": { ...plain, backdatedPercent: 3, latePercent: 0.3 },
  "books rows with days of before, and sorts by those": { ...plain, backdatedPercent: 3, isSortedByDay: true },
  "changes its mind": { ...plain, latePercent: 0.4, jumpPercent: 0.5, changePercent: 1, pairPercent: 0.5 },
};

test.for(Object.entries(banks).map(([name, habits]) => ({ name, habits })))(
  "no row is lost or doubled in a year of a service that $name",
  async ({ habits }) => {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const { wrong, restarts } = await exportYear(seed, habits, mishaps);
      expect({ seed, wrong }).toEqual({ seed, wrong: [] });
      const isOdd = habits.jumpPercent > 0 || habits.changePercent > 0;
      expect({ seed, needed: isOdd || restarts === 0 }).toEqual({ seed, needed: true });
    }
  },
);
