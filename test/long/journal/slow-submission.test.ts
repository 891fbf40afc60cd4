import { beforeAll, expect } from "vitest";
import { openDesk, payouts, transfers } from "../../commands/batch-service.ts";
import { hire, openOffice } from "../../commands/four-eyes.ts";
import { test } from "../../simulated.ts";
import { withPostgres } from "../../with-postgres.ts";

/** Longer than the limit of any other statement, and of the wait for any other answer. */
const slowness = `CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(48); RETURN NULL; END $$;
  CREATE TRIGGER takes_long AFTER INSERT ON partner.batches EXECUTE FUNCTION take_long()`;

withPostgres("a slow server", (server) => {
  beforeAll(() => hire(server));

  test("takes a batch although the submission needs 48 seconds", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.root(slowness);
    const file = openDesk().write(transfers(3));
    expect(await office.at("amina")`batch submit ${file} ${payouts}`).toMatchObject({ exit: 0 });
  });
});
