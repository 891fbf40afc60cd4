import { afterAll, beforeAll, describe, expect } from "vitest";
import type { PostgresServer } from "../postgres.ts";
import { needsPostgres, startPostgres } from "../postgres.ts";
import { test } from "../simulated.ts";
import { movedEach, openDesk, payouts, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

describe.skipIf(needsPostgres !== "")(`four eyes${needsPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    await hire(server);
  }, 60_000);
  afterAll(() => server?.crash(), 60_000);

  test("one submits, another approves, a third sends", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const file = openDesk().write(transfers(3));
    const submitted = await office.at("amina")`batch submit ${file} ${payouts} --json`;
    expect(submitted).toMatchObject({ exit: 0 });
    const { batch } = JSON.parse(submitted.stdout);
    const early = await office.at("runner")`batch run --approved ${batch} --yes`;
    expect(early).toMatchObject({ exit: 2, stdout: "" });
    const approved = await office.at("baraka")`batch approve ${batch} --yes --expect-count 3 --expect-total 15`;
    expect(approved).toMatchObject({ exit: 0 });
    const ran = await office.at("runner")`batch run --approved --yes --json`;
    expect(ran).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  });
});
