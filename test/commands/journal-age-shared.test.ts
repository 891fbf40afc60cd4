import { readFileSync, readdirSync } from "node:fs";
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect } from "vitest";
import { newShared, openShared } from "../journal/shared-places.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { PostgresServer } from "../postgres.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Desk, DeskChanges } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

const older = "This journal is older than what was sent from here";

/** Hosts that share a database must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

const endConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'partner'`;

/** Uses the database as the journal. */
const sharing = (address: string): DeskChanges => ({
  environment: { PARTNER_JOURNAL_URL: address },
  world: { host: { ids } },
});

/** The same desk on a given day of March. */
const onDay = (desk: Desk, day: number): Desk => desk.at({ world: { host: { ids }, now: Date.UTC(2026, 2, day, 9) } });

function order(reference: string) {
  return { scope: "s http://x A", kind: "transfer", reference, request: "{}", deadlineMs: 1_000 } as const;
}

/** Copies the database, and returns a function that restores it. */
async function dump(server: PostgresServer, address: string): Promise<() => Promise<void>> {
  const name = new URL(address).pathname.slice(1);
  await server.sql("postgres", `DROP DATABASE IF EXISTS ${name}_dump`);
  await server.sql("postgres", `CREATE DATABASE ${name}_dump TEMPLATE ${name}`);
  return async () => {
    await server.sql("postgres", `DROP DATABASE ${name}`);
    await server.sql("postgres", `CREATE DATABASE ${name} TEMPLATE ${name}_dump`);
  };
}

withPostgres("a shared journal that was restored", (server) => {
  test("from an older dump sends nothing from a host that has sent since, and is recovered from statements", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const [one, two] = [openDesk(partnerIn, sharing(address)), openDesk(partnerIn, sharing(address))];
    await one.send("R-1");
    await two.send("R-2");
    const restore = await dump(server, address);
    await one.send("R-3", "R-4");
    await restore();
    const refused = await one.partner`${transferOf("R-3")} --quiet`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain(`${older}: it ends at event 6, 12 were written.`);
    expect((await one.partner`journal verify`).exit).toBe(3);
    expect((await one.partner`doctor`).exit).toBe(3);
    const listed = await one.partner`journal list`;
    expect(listed.exit).toBe(0);
    expect(listed.stderr).toContain(older);
    const recovering = await Promise.all([one.partner`journal recover --json`, two.partner`journal recover --json`]);
    expect(recovering.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(await one.send("R-5", "R-3")).toEqual([0, 0]);
    expect(await two.send("R-4")).toEqual([0]);
    const seen = await server.sql(
      address,
      "SELECT DISTINCT reference FROM partner.seen WHERE reference LIKE 'R-%' ORDER BY 1",
    );
    expect(seen).toEqual([{ reference: "R-3" }, { reference: "R-4" }]);
    expect(movedUnder(simulator, "R-1", "R-2", "R-3", "R-4", "R-5")).toEqual([1, 1, 1, 1, 1]);
  });

  test("from a dump makes a host that has sent nothing since ask the statement first", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const [one, two] = [openDesk(partnerIn, sharing(address)), openDesk(partnerIn, sharing(address))];
    await onDay(two, 1).send("R-0");
    expect((await onDay(two, 3).partner`${transferOf("R-1")}`).stderr).not.toContain("the statement is asked");
    const restore = await dump(server, address);
    await onDay(one, 3).send("R-2", "R-3");
    await restore();
    const told = await onDay(two, 3).partner`${transferOf("R-2")} --json`;
    expect(told.stderr).toMatch(
      /was restored, or is a copy\. For a day, the statement is asked before an order leaves\./,
    );
    expect({ exit: told.exit, ...JSON.parse(told.stdout) }).toMatchObject({ exit: 0, evidence: "statement" });
    const again = await onDay(two, 3).partner`${transferOf("R-3")} --json`;
    expect(again.stderr).not.toContain("was restored");
    expect(movedUnder(simulator, "R-0", "R-1", "R-2", "R-3")).toEqual([1, 1, 1, 1]);
  });

  test("and continued by other hosts is refused by a host that sent before", async ({ partnerIn }) => {
    const address = await newShared(server);
    const [one, two] = [openDesk(partnerIn, sharing(address)), openDesk(partnerIn, sharing(address))];
    const restore = await dump(server, address);
    await one.send("R-1");
    await restore();
    await two.send("R-2", "R-3");
    expect((await one.partner`${transferOf("R-1")}`).stderr).toContain(
      `${older}, and went on from there: its event 3 differs from the one written before.`,
    );
  });

  test("during a run stops that run", async () => {
    const address = await newShared(server);
    const host = memoryHost({ host: { ids } });
    const restore = await dump(server, address);
    const journal = await openShared(address, { host });
    const opened = await journal.open(order("R-1"));
    if (opened.outcome !== "claimed") throw new Error("It was ordered before");
    await opened.claim.beforeDialling("request-1");
    await opened.claim.settle({ state: "accepted" });
    await server.sql("postgres", endConnections);
    await restore();
    const other = await openShared(address, { host: memoryHost({ seed: 9, host: { ids } }) });
    for (const reference of ["R-2", "R-3"]) await other.open(order(reference));
    await other.close();
    await expect(journal.open(order("R-1"))).rejects.toThrow(older);
    await journal.close();
  });

  test("from a dump stops a run even if it has all of that run's orders", async () => {
    const address = await newShared(server);
    const journal = await openShared(address, { host: memoryHost({ host: { ids } }) });
    const opened = await journal.open(order("R-1"));
    if (opened.outcome !== "claimed") throw new Error("It was ordered before");
    await server.sql("postgres", endConnections);
    const restore = await dump(server, address);
    const other = await openShared(address, { host: memoryHost({ seed: 9, host: { ids } }) });
    await other.open(order("R-2"));
    await other.close();
    await restore();
    await expect(journal.open(order("R-2"))).rejects.toThrow("was restored");
    await expect(opened.claim.beforeDialling("request-1")).rejects.toThrow("was restored");
    await journal.close();
  });
});

withPostgres("a standby that took over", (server) => {
  test("and lost orders is refused by the host that sent them; other hosts ask the statement first", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const [one, two] = [openDesk(partnerIn, sharing(address)), openDesk(partnerIn, sharing(address))];
    await two.send("R-0");
    const standby = await server.leaveStandby();
    await one.send("R-1", "R-2");
    await standby.takeOver();
    const refused = await one.partner`${transferOf("R-2")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(`${older}: it ends at event 3, 9 were written.`);
    const other = await two.partner`${transferOf("R-0")}`;
    expect(other.exit).toBe(0);
    expect(other.stderr).toContain("A standby took over the shared journal");
    expect((await two.partner`${transferOf("R-0")}`).stderr).not.toContain("A standby took over");
    expect(movedUnder(simulator, "R-0", "R-1", "R-2")).toEqual([1, 1, 1]);
  });

  test("without losing anything is used; its old server is refused when it comes back", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const desk = openDesk(partnerIn, sharing(address));
    await desk.send("R-1");
    const standby = await server.leaveStandby();
    await standby.takeOver();
    expect(await desk.send("R-1")).toEqual([0]);
    await standby.bringBack();
    const refused = await desk.partner`${transferOf("R-2")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toMatch(
      /older than what was sent from here: its server is on timeline \d+, and timeline \d+ was used/,
    );
    await standby.takeOver();
    expect(await desk.send("R-2")).toEqual([0]);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });
});

withPostgres("a shared journal and a local one", (server) => {
  test("are two journals: the orders of an account are in one of them", async ({ partnerIn, simulator }) => {
    const [address, empty] = [await newShared(server), await newShared(server)];
    const local = openDesk(partnerIn);
    await local.send("R-1");
    const refused = await local.at(sharing(empty)).partner`${transferOf("R-1")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(`has no order of this account: they are in ${local.journal}.`);
    expect(refused.stderr).toContain(`PARTNER_STATE_DIR=${local.state}, without PARTNER_JOURNAL_URL`);
    const shared = local.at(sharing(address));
    expect((await shared.partner`journal copy`).exit).toBe(0);
    expect(await shared.send("R-1", "R-2")).toEqual([0, 0]);
    const second = local.at({ state: join(temporaryFolder(), "state") });
    const back = await second.partner`${transferOf("R-2")}`;
    expect(back.exit).toBe(3);
    expect(back.stderr).toMatch(/PARTNER_JOURNAL_URL=postgres:\/\/127\.0\.0\.1:\d+\/\w+/);
    expect((await local.at(sharing(empty)).partner`${transferOf("R-2")}`).exit).toBe(3);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });

  test("are not mixed on a host that never copied its own", async ({ partnerIn, simulator }) => {
    const address = await newShared(server);
    const [one, two] = [openDesk(partnerIn), openDesk(partnerIn)];
    await one.send("R-1");
    await two.send("R-2");
    expect((await one.at(sharing(address)).partner`journal copy`).exit).toBe(0);
    const joined = two.at(sharing(address));
    const refused = await joined.partner`${transferOf("R-2")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(`doesn't have all orders of this account: they are in ${two.journal}.`);
    expect((await joined.partner`journal recover`).exit).toBe(0);
    expect(await joined.send("R-1", "R-2", "R-3")).toEqual([0, 0, 0]);
    expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
  });

  test("are kept apart when the local one lacks orders that were sent: it is not copied", async ({ partnerIn }) => {
    const address = await newShared(server);
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    const refused = await desk.at(sharing(address)).partner`journal copy`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(older);
  });
});

withPostgres("the mark of a shared journal", (server) => {
  test("contains the server's id for every database user", async ({ partnerIn }) => {
    const address = new URL(await newShared(server));
    await server.sql(
      address.href,
      `CREATE ROLE clerk LOGIN PASSWORD 'clerk-1'; GRANT USAGE ON SCHEMA partner TO clerk;
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA partner TO clerk`,
    );
    const asClerk = Object.assign(new URL(address), { username: "clerk", password: "clerk-1" });
    const desk = openDesk(partnerIn, sharing(asClerk.href));
    expect(await desk.send("R-1")).toEqual([0]);
    expect(marksIn(desk.config)).toMatch(/^\d+ \d+ [0-9a-f]{64} 0 \d{10,} [1-9]\d* [0-9a-f]{16}$/m);
  });

  test("is enough to notice an older dump when the server does not give its id", async ({ partnerIn }) => {
    const address = await newShared(server);
    await server.sql(address, "REVOKE EXECUTE ON FUNCTION pg_catalog.pg_control_system() FROM PUBLIC");
    await server.sql(
      address,
      `CREATE ROLE shut LOGIN PASSWORD 'shut-1'; GRANT USAGE ON SCHEMA partner TO shut;
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA partner TO shut`,
    );
    const desk = openDesk(
      partnerIn,
      sharing(Object.assign(new URL(address), { username: "shut", password: "shut-1" }).href),
    );
    const restore = await dump(server, address);
    expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
    expect(marksIn(desk.config)).toMatch(/^\d+ \d+ [0-9a-f]{64} 0 - 0 [0-9a-f]{16}$/m);
    await restore();
    expect((await desk.partner`${transferOf("R-2")}`).stderr).toContain(
      `${older}: it ends at event 0, 6 were written.`,
    );
  });

  test("that can't be written stops the order on this host, and another host can send it", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const files = nodeFiles();
    let isFull = false;
    const append: typeof files.append = (path, text, isSynced) => {
      if (isFull && isSynced) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      files.append(path, text, isSynced);
    };
    const desk = openDesk(partnerIn, { ...sharing(address), world: { host: { ids, files: { ...files, append } } } });
    expect(await desk.send("R-1")).toEqual([0]);
    isFull = true;
    const refused = await desk.partner`${transferOf("R-2")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain("the disk is full");
    expect(refused.stderr).toContain("\nThis run moved no money.\n");
    const other = openDesk(partnerIn, sharing(address));
    expect(JSON.parse((await other.partner`journal list --json`).stdout)).toMatchObject([
      { state: "accepted" },
      { state: "unsent" },
    ]);
    expect(await other.send("R-2")).toEqual([0]);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });

  test("makes a host unsure for a day about a journal that is new to it, and only that host", async () => {
    const address = await newShared(server);
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    const start = Date.UTC(2026, 2, 1);
    const unsure = async (configFolder: string, hours: number) => {
      const journal = await openShared(address, {
        host: memoryHost({ now: start + hours * 3_600_000, host: { ids } }),
        configFolder,
      });
      const since = (await journal.unsure())?.since;
      await journal.close();
      return since;
    };
    expect(await unsure(one, 0)).toBe(start);
    expect(await unsure(one, 23)).toBe(start);
    expect(await unsure(one, 25)).toBeUndefined();
    expect(await unsure(two, 25)).toBe(start + 25 * 3_600_000);
    expect(await unsure(one, 26)).toBeUndefined();
  });
});

function marksIn(config: string): string {
  return readdirSync(join(config, "marks"))
    .map((name) => readFileSync(join(config, "marks", name), "utf8"))
    .join("");
}
