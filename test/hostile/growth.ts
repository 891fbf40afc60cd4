import { expect, test } from "vitest";
import { costFault, growthFault } from "./cost.ts";
import type { Reader } from "./reader.ts";
import { mixes, ordinaryRuns, runOf, runs } from "./runs.ts";

const kib = 1024;
/** A system accepts words of 128 KiB at most. */
const sizes = { files: [4 * kib, 64 * kib, 256 * kib], words: [2 * kib, 32 * kib, 120 * kib] };

/**
 * Checks for each of these that time grows with the input, whatever that is, and that no hostile bytes take ten times
 * as long as ordinary ones.
 */
export function holdGrowth(readers: readonly Reader[]): void {
  test.each(readers.map((reader) => [reader.name, reader] as const))("%s", async (_, { takes, read }) => {
    const faults: string[] = [];
    const largest = sizes[takes].at(-1) ?? 0;
    const ordinary = ordinaryRuns.map((pattern) => () => read(runOf(pattern, largest)));
    for (const pattern of [...runs, ...mixes]) {
      const grown = await growthFault((size) => read(runOf(pattern, size)), sizes[takes]);
      const fault = grown ?? (await costFault(() => read(runOf(pattern, largest)), ordinary));
      if (fault !== undefined) faults.push(`${JSON.stringify(pattern)}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
}
