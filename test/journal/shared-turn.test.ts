import { expect } from "vitest";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { PostgresServer } from "../postgres.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { claimOf, orderOf, send } from "./orders.ts";
import { newShared, openShared } from "./shared-places.ts";

/** A commit waits for as long as a lock does. */
const twoCommitsMs = 120_000;
const requestOf = (amount: number) => `{"amount":${amount},"from":"1042","to":"1043","description":"rent"}`;
const [one, two] = [orderOf(), orderOf({ reference: "INV-2", request: requestOf(6) })];

/**
 * From now on a commit is answered once a standby of that name has it, or, without one, once it is on the server's
 * disk.
 */
async function waitFor(server: PostgresServer, standby: string): Promise<void> {
  await server.sql("postgres", `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  await server.sql("postgres", "SELECT pg_reload_conf()");
  const waited = "SELECT 1 WHERE current_setting('synchronous_standby_names') = '";
  while ((await server.sql("postgres", `${waited}${standby}'`)).length === 0);
}

/** The wait events of so many sessions of a database, once all of them wait. */
async function waitsOf(server: PostgresServer, address: string, count: number): Promise<readonly unknown[]> {
  const name = new URL(address).pathname.slice(1);
  const sql = `SELECT wait_event FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type IN ('IPC', 'Lock')`;
  for (;;) {
    const found = (await server.sql("postgres", sql)).map((row) => Reflect.get(row, "wait_event"));
    if (found.length === count) return found;
  }
}

withPostgres("the one history of several hosts", (server) => {
  test("goes on while other commits wait for their disk: no host waits for another one", async () => {
    const address = await newShared(server);
    const [first, second] = [await openShared(address), await openShared(address, { host: memoryHost({ seed: 2 }) })];
    await waitFor(server, "far");
    const opening = [first.open(one)];
    expect(await waitsOf(server, address, 1)).toEqual(["SyncRep"]);
    opening.push(second.open(two));
    expect(await waitsOf(server, address, 2)).toEqual(["SyncRep", "SyncRep"]);
    const numbered = "SELECT j.events, e.number FROM partner.journal j, partner.events e ORDER BY e.number";
    expect(await server.sql(address, numbered)).toEqual([
      { events: "2", number: "1" },
      { events: "2", number: "2" },
    ]);
    await waitFor(server, "");
    for (const [index, opened] of (await Promise.all(opening)).entries()) {
      const claim = claimOf(opened);
      await send(claim, `request-${index}`);
      expect(await claim.settle({ state: "accepted", response: "{}" })).toMatchObject({ state: "accepted" });
    }
    expect(await first.verify()).toEqual({ movements: 2, events: 6 });
    await Promise.all([first.close(), second.close()]);
  });

  test(
    "is noted by each host as far as the disk has it, so a failover causes no false alarm",
    { timeout: twoCommitsMs },
    async ({ skip }) => {
      skip(!server.hasClients, "needs pg_receivewal of the server's version");
      const address = await newShared(server);
      const folders = [temporaryFolder(), temporaryFolder()];
      let seed = 0;
      const open = (index: number) =>
        openShared(address, { host: memoryHost({ seed: (seed += 1) }), configFolder: folders[index] ?? "" });
      const before = await open(1);
      await send(claimOf(await before.open(two)), "request-2");
      await before.close();
      const standby = await server.leaveStandby();
      const first = await open(0);
      await server.follow("near");
      await waitFor(server, "near");
      const lost = first.open(one).catch((error: unknown) => error);
      await waitsOf(server, address, 1);
      // The other host sees the order, which only this server has.
      await expect(open(1)).rejects.toMatchObject({ ending: "setup", message: expect.stringContaining("standby") });
      expect(await lost).toMatchObject({ ending: "setup" });
      await first.close();

      await standby.takeOver();
      for (const [index, order] of [one, orderOf({ reference: "INV-3", request: requestOf(7) })].entries()) {
        const journal = await open(index);
        expect(journal.refusal).toBeUndefined();
        await send(claimOf(await journal.open(order)), `request-after-${index}`);
        await journal.close();
      }
    },
  );
});
