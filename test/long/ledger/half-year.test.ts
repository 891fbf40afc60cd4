import { expect, test } from "vitest";
import { playHalfYear, wrongIn } from "../../ledger/half-year.ts";

const first = Number(process.env["LEDGER_FIRST_SEED"] ?? 1);
const seeds = Number(process.env["LEDGER_SEEDS"] ?? 10_000);
const perTest = 100;

test.for(Array.from({ length: Math.ceil(seeds / perTest) }, (_, index) => first + index * perTest))(
  "a hundred half years from seed %i on: the ledger equals the service, and is proved exactly when that is true",
  async (from) => {
    for (let seed = from; seed < Math.min(from + perTest, first + seeds); seed += 1)
      expect({ seed, wrong: wrongIn(await playHalfYear(seed)) }).toEqual({ seed, wrong: [] });
  },
);
