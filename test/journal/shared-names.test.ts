import { expect, test } from "vitest";
import { withPostgres } from "../with-postgres.ts";
import { claimOf, orderOf, send } from "./orders.ts";
import { newShared, openShared } from "./shared-places.ts";

const often = 5;
/** Its limit is checked where it is written. */
const orderNumber = (number: number) =>
  orderOf({
    reference: `INV-${number}`,
    request: `{"amount":${number},"from":"1042","to":"1043","description":"rent"}`,
    guard: { day: undefined, decide: () => undefined },
  });

withPostgres("a process that sends many orders", (server) => {
  test("continues when the journal is changed meanwhile, and each order is there once", async () => {
    const address = await newShared(server);
    const journal = await openShared(address);
    const sendNext = async (number: number) => {
      const claim = claimOf(await journal.open(orderNumber(number)));
      await send(claim, `request-${number}`);
      expect(await claim.settle({ state: "accepted", response: "{}" })).toMatchObject({ state: "accepted" });
    };
    for (let number = 1; number <= often; number += 1) await sendNext(number);
    await server.sql(address, "ALTER TABLE partner.movements ADD COLUMN later text");
    for (let number = often + 1; number <= 2 * often; number += 1) await sendNext(number);
    expect(await journal.verify()).toEqual({ movements: 2 * often, events: 6 * often });
    await journal.close();
  });
});
