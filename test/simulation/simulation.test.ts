import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import { openRealTown } from "./real-town.ts";
import { play } from "./workload.ts";

// PARTNER_SEEDS plays so many seeds, PARTNER_FROM begins with a later one; PARTNER_SEED plays that one alone: a failure
// prints it, with the whole story.
const only = Number(process.env["PARTNER_SEED"] ?? 0);
const count = Number(process.env["PARTNER_SEEDS"] ?? size(36, 10_000));
const from = Number(process.env["PARTNER_FROM"] ?? 1);
const seeds = only > 0 ? [only] : Array.from({ length: count }, (_, index) => index + from);
const longMs = 6 * 3_600_000;

test(
  `whatever happens to orders, money, statements and journal agree (${seeds.length} seeds)`,
  { timeout: longMs },
  async () => {
    for (const seed of seeds) {
      const story = await play(seed, { isAwkward: false });
      expect(story).toEqual({ ...story, wrong: [] });
    }
  },
);

test("even where orders are easily taken for one another", { timeout: longMs }, async () => {
  for (const seed of seeds.slice(0, size(18, 2000))) {
    const story = await play(seed, { isAwkward: true });
    expect(story).toEqual({ ...story, wrong: [] });
  }
});

test("even where they come in files", { timeout: longMs }, async () => {
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
  "even where rows are reversed, look like others and come late%s",
  { timeout: longMs },
  async ([, awkwardness]) => {
    for (const seed of seeds.slice(0, size(10, 2000))) {
      const story = await play(seed, { ...awkwardness, troubles });
      expect(story).toEqual({ ...story, wrong: [] });
    }
  },
);

// Not where orders are easily taken for one another: what tells them apart is what such a journal has lost.
const upheavals = [
  ["", { isAwkward: false }],
  [", orders come in files", { isAwkward: false, hasBatches: true }],
  [", and rows are reversed and look like others", { isAwkward: false, troubles: ["reversal", "look-alike row"] }],
] as const;

test.for(upheavals.map(([name, awkwardness], index) => ({ name, awkwardness, index })))(
  "even where journals are put back, copied and lost, and people are impatient$name",
  { timeout: longMs },
  async ({ awkwardness, index }) => {
    // Each seed is played in one of them.
    for (const seed of only > 0 ? seeds : seeds.filter((one) => one % upheavals.length === index)) {
      const story = await play(seed, { ...awkwardness, hasUpheavals: true });
      expect(story).toEqual({ ...story, wrong: [] });
    }
  },
);

const playsProcesses = size(0, 1) === 1;

test.skipIf(!playsProcesses)("with real processes, killed at any time, too", { timeout: longMs }, async () => {
  for (const seed of seeds.slice(0, 30)) {
    const story = await play(seed, { isAwkward: false }, openRealTown);
    expect(story).toEqual({ ...story, wrong: [] });
  }
});
