import { expect } from "vitest";
import { wayTo } from "../../journal/broken-way.ts";
import { temporaryFolder } from "../../memory-host.ts";
import type { World } from "../../memory-host.ts";
import type { FaultsAtHand, Partner } from "../../simulated.ts";
import { test } from "../../simulated.ts";
import { withPostgres } from "../../with-postgres.ts";
import { openDesk } from "../../commands/batch-service.ts";

// Each query to a journal on another machine takes time, so orders are looked up together.

/** The payer has it twice; the wallets in Kenya do not have it. */
const amount = 19_000_000;

interface Tools {
  readonly partnerIn: (world: World) => Partner;
  readonly faults: FaultsAtHand;
}

withPostgres("a shared journal far away", (server) => {
  async function office({ partnerIn }: Pick<Tools, "partnerIn">) {
    const way = await wayTo(await server.newDatabase());
    const partner = partnerIn({
      environment: { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: way.address },
    });
    expect(await partner`journal migrate`).toMatchObject({ exit: 0 });
    const questionsOf = async (line: string) => {
      const before = way.questions;
      await partner`${line}`;
      return way.questions - before;
    };
    return { partner, questionsOf };
  }

  /** How many queries an order takes when so many others have its amount, each refused twice. */
  async function besideRefused(count: number, { partnerIn, faults }: Tools): Promise<number> {
    const { partner, questionsOf } = await office({ partnerIn });
    faults.loseNextAnswer();
    const order = `transfer --from 9000112233 --to 9000112244 --amount ${amount} --description rent --yes`;
    expect(await partner`${order} --reference LOST-${count}`).toMatchObject({ exit: 6 });
    const rows = Array.from({ length: count }, (_, row) => `R-${row},9000445566,9000445577,${amount},rent\n`);
    const file = openDesk().write(`reference,from,to,amount,description\n${rows.join("")}`);
    const refused = `batch run ${file} --kind transfer --allow-repeats --check-statement never --yes`;
    for (const _ of [1, 2]) expect(await partner`${refused}`).toMatchObject({ exit: 8 });
    return questionsOf(`journal resolve LOST-${count}`);
  }

  test("gets the same number of queries for an order, however many with its amount were sent again", async ({
    partnerIn,
    faults,
  }) => {
    const few = await besideRefused(2, { partnerIn, faults });
    expect(await besideRefused(12, { partnerIn, faults })).toBe(few);
  });

  /** How many queries a batch of so many rows takes, with its statements read before the first one. */
  async function inBatch(count: number, { partnerIn }: Pick<Tools, "partnerIn">): Promise<number> {
    const { questionsOf } = await office({ partnerIn });
    const rows = Array.from(
      { length: count },
      (_, row) => `B-${count}-${row},9000112233,9000112244,${row + 100},rent\n`,
    );
    const file = openDesk().write(`reference,from,to,amount,description\n${rows.join("")}`);
    return questionsOf(`batch run ${file} --kind transfer --check-statement always --yes`);
  }

  test("gets one query for the earlier verdicts on a batch's orders, when their statements are read", async ({
    partnerIn,
  }) => {
    const [few, many] = [await inBatch(2, { partnerIn }), await inBatch(12, { partnerIn })];
    expect(many - few).toBeLessThan(10 * 8);
  });
});
