import { expect, test } from "vitest";
import { tell, wrongIn } from "../../ledger/undated-stories.ts";
import { temporaryFolder } from "../../memory-host.ts";
import { withPostgres } from "../../with-postgres.ts";

const first = Number(process.env["LEDGER_FIRST_SEED"] ?? 1);
const stories = Math.min(Number(process.env["LEDGER_SEEDS"] ?? 1_000), 1_000);
const perTest = 25;
const starts = Array.from({ length: Math.ceil(stories / perTest) }, (_, index) => first + index * perTest);

test.for(starts)("stories from seed %i on: rows without a value date are placed where they belong", async (from) => {
  for (let seed = from; seed < Math.min(from + perTest, first + stories); seed += 1)
    expect({ seed, wrong: await wrongIn(tell(seed)) }).toEqual({ seed, wrong: [] });
});

withPostgres("a shared ledger", (server) => {
  test("places rows without a value date as a ledger on this machine does", async () => {
    for (let seed = first; seed < first + perTest; seed += 1) {
      const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
      expect({ seed, wrong: await wrongIn(tell(seed), environment) }).toEqual({ seed, wrong: [] });
    }
  });
});
