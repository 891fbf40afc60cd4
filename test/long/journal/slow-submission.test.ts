import { beforeAll, expect } from "vitest";
import { openDesk, payouts, transfers } from "../../commands/batch-service.ts";
import { hire, openOffice } from "../../commands/four-eyes.ts";
import { test } from "../../simulated.ts";
import { withPostgres } from "../../with-postgres.ts";

/** Longer than any other statement may take, and than any other answer is waited for. */
const slowness = `CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(48); RETURN NULL; END $$;
  CREATE TRIGGER takes_long AFTER INSERT ON partner.batches EXECUTE FUNCTION take_long()`;

withPostgres("a server that is slow", (server) => {
  beforeAll(() => hire(server));

  test("a batch that it takes in within five minutes is submitted", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.root(slowness);
    const file = openDesk().write(transfers(3));
    expect(await office.at("amina")`batch submit ${file} ${payouts}`).toMatchObject({ exit: 0 });
  });
});
