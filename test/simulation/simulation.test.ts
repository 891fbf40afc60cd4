import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import { openRealTown } from "./real-town.ts";
import { play } from "./workload.ts";

// PARTNER_SEEDS sets how many seeds are played, PARTNER_FROM the first one; PARTNER_SEED plays only that seed. A
// failure prints it with the whole story.
const only = Number(process.env["PARTNER_SEED"] ?? 0);
const count = Number(process.env["PARTNER_SEEDS"] ?? size(36, 10_000));
const from = Number(process.env["PARTNER_FROM"] ?? 1);
const seeds = only > 0 ? [only] : Array.from({ length: count }, (_, index) => index + from);
const longMs = 6 * 3_600_000;

test(
  `after any sequence of events orders, money, statements and journal agree (${seeds.length} seeds)`,
  { timeout: longMs },
  async () => {
    for (const seed of seeds) {
      const story = await play(seed, { isAwkward: false });
      expect(story).toEqual({ ...story, wrong: [] });
    }
  },
);

test("they agree even if orders are easily confused", { timeout: longMs }, async () => {
  for (const seed of seeds.slice(0, size(18, 2000))) {
    const story = await play(seed, { isAwkward: true });
    expect(story).toEqual({ ...story, wrong: [] });
  }
});

test("they agree even if orders come in files", { timeout: longMs }, async () => {
  for (const seed of seeds.slice(0, size(10, 2000))) {
    const story = await play(seed, { isAwkward: false, hasBatches: true });
    expect(story).toEqual({ ...story, wrong: [] });
  }
});

const troubles = ["reversal", "look-alike row", "statement late"] as const;

test.for([
  ["", { isAwkward: false }],
  [", orders are easily taken for one another", { isAwkward: true }],
  [", and orders come in files", { isAwkward: false, hasBatches: true }],
] as const)(
  "they agree even if rows are reversed, late or look alike%s",
  { timeout: longMs },
  async ([, awkwardness]) => {
    for (const seed of seeds.slice(0, size(10, 2000))) {
      const story = await play(seed, { ...awkwardness, troubles });
      expect(story).toEqual({ ...story, wrong: [] });
    }
  },
);

// Not with easily confused orders: what distinguishes them is lost with such a journal.
const upheavals = [
  ["", { isAwkward: false }],
  [", orders come in files", { isAwkward: false, hasBatches: true }],
  [", and rows are reversed and look like others", { isAwkward: false, troubles: ["reversal", "look-alike row"] }],
] as const;

test.for(upheavals.map(([name, awkwardness], index) => ({ name, awkwardness, index })))(
  "they agree even after journals are restored, copied and lost, and payments repeated$name",
  { timeout: longMs },
  async ({ awkwardness, index }) => {
    // Each seed is played in one of these.
    for (const seed of only > 0 ? seeds : seeds.filter((one) => one % upheavals.length === index)) {
      const story = await play(seed, { ...awkwardness, hasUpheavals: true });
      expect(story).toEqual({ ...story, wrong: [] });
    }
  },
);

const playsProcesses = size(0, 1) === 1;

test.skipIf(!playsProcesses)("they agree with real processes killed at any time", { timeout: longMs }, async () => {
  for (const seed of seeds.slice(0, 30)) {
    const story = await play(seed, { isAwkward: false }, openRealTown);
    expect(story).toEqual({ ...story, wrong: [] });
  }
});
