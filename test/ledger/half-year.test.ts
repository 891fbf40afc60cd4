import { expect, test } from "vitest";
import { playHalfYear, wrongIn } from "./half-year.ts";

/** This many half years are played here; the long run plays thousands. */
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

test.for(seeds)(
  "seed %i: the ledger equals the service, and is called proved exactly when that is true",
  async (seed) => {
    expect(wrongIn(await playHalfYear(seed))).toEqual([]);
  },
);
