import { expect, test } from "vitest";
import { growthFault } from "./cost.ts";
import type { Reader } from "./reader.ts";
import { runOf, runs } from "./runs.ts";

const kib = 1024;
/** A system takes words of 128 KiB at most. */
const sizes = { files: [4 * kib, 64 * kib, 256 * kib], words: [2 * kib, 32 * kib, 120 * kib] };

/** Holds each of these to it that time grows with what is read, whatever that is. */
export function holdGrowth(readers: readonly Reader[]): void {
  test.each(readers.map((reader) => [reader.name, reader] as const))("%s", async (_, { takes, read }) => {
    const faults: string[] = [];
    for (const pattern of runs) {
      const fault = await growthFault((size) => read(runOf(pattern, size)), sizes[takes]);
      if (fault !== undefined) faults.push(`${JSON.stringify(pattern)}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
}
