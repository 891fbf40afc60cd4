import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import { tell, wrongIn } from "./undated-stories.ts";

/** This many stories are played here; the long run plays hundreds. */
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
const sharedSeeds = [3, 10, 22, 58, 77];

test.for(seeds)("seed %i: rows without a value date are placed where the service shows them", async (seed) => {
  expect(await wrongIn(tell(seed))).toEqual([]);
});

withPostgres("a shared ledger", (server) => {
  test.for(sharedSeeds)("seed %i: places rows without a value date where the service shows them", async (seed) => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await wrongIn(tell(seed), environment)).toEqual([]);
  });
});
