import { randomBytes, randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { expect } from "vitest";
import { newShared } from "../journal/shared-places.ts";
import type { PostgresServer } from "../postgres.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import type { DeskChanges } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

/** Hosts that share a database must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

const sharing = (address: string): DeskChanges => ({
  environment: { PARTNER_JOURNAL_URL: address },
  world: { host: { ids } },
});

function renamed(address: string, more: string): { readonly name: string; readonly other: string } {
  const url = new URL(address);
  const name = url.pathname.slice(1);
  return { name, other: Object.assign(url, { pathname: `/${name}${more}` }).href };
}

const copyOf = async (server: PostgresServer, address: string): Promise<string> => {
  const { name, other } = renamed(address, "_copy");
  await server.sql("postgres", `CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
  return other;
};

withPostgres("a shared journal in another place", (server) => {
  test("that was moved goes on with one note, and asks the statement first", async ({ partnerIn, simulator }) => {
    const address = await newShared(server);
    const desk = openDesk(partnerIn, sharing(address));
    await desk.send("R-1");
    const { name, other } = renamed(address, "_moved");
    await server.sql("postgres", `ALTER DATABASE ${name} RENAME TO ${name}_moved`);
    const moved = desk.at(sharing(other));
    const first = await moved.partner`${transferOf("R-1")}`;
    expect(first.exit).toBe(0);
    expect(first.stderr).toMatch(
      /The shared journal was moved from \S+ to \S+_moved\. For a day, the statement is asked/,
    );
    expect((await moved.partner`${transferOf("R-2")}`).stderr).not.toContain("was moved from");
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
    expect(await desk.send("R-2")).not.toEqual([0]);
  });

  test("that is a copy is refused by a host that has sent since, and pays nothing twice for others", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const [one, two] = [openDesk(partnerIn, sharing(address)), openDesk(partnerIn, sharing(address))];
    await one.send("R-1");
    await two.send("R-2");
    const copy = await copyOf(server, address);
    await one.send("R-3");
    const behind = await one.at(sharing(copy)).partner`${transferOf("R-3")}`;
    expect(behind.exit).toBe(3);
    expect(behind.stderr).toContain("older than what was sent from here: it ends at event 6, 9 were written.");
    // The other host has sent nothing since: it notes the new place, and the statement shows the order.
    const other = await two.at(sharing(copy)).partner`${transferOf("R-3")} --json`;
    expect(other.exit).toBe(0);
    expect(other.stderr).toContain("The shared journal was moved from");
    expect(JSON.parse(other.stdout)).toMatchObject({ state: "accepted", evidence: "statement" });
    expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
  });

  test("is still one journal for a clone of the machine", async ({ partnerIn, simulator }) => {
    const address = await newShared(server);
    const desk = openDesk(partnerIn, sharing(address));
    await desk.send("R-1");
    const clone = desk.at({ machineId: "machine two", config: `${desk.config}-two` });
    cpSync(desk.config, clone.config, { recursive: true });
    expect(await clone.send("R-1", "R-2")).toEqual([0, 0]);
    expect(await desk.send("R-2", "R-3")).toEqual([0, 0]);
    expect(await clone.send("R-3")).toEqual([0]);
    expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
  });

  test("still knows orders by every name of the account after an older dump was restored and recovered", async ({
    partnerIn,
    simulator,
  }) => {
    const address = await newShared(server);
    const desk = openDesk(partnerIn, sharing(address));
    const { name } = renamed(address, "");
    await server.sql("postgres", `CREATE DATABASE ${name}_dump TEMPLATE ${name}`);
    await desk.send("R-1");
    await server.sql("postgres", `DROP DATABASE ${name}`);
    await server.sql("postgres", `CREATE DATABASE ${name} TEMPLATE ${name}_dump`);
    const labelled = desk.at({ environment: { PARTNER_JOURNAL_URL: address, PARTNER_ENVIRONMENT: "live" } });
    expect(await labelled.send("R-1")).toEqual([3]);
    expect((await labelled.partner`journal recover`).exit).toBe(0);
    expect(await labelled.send("R-1")).toEqual([0]);
    expect(await desk.send("R-1")).toEqual([0]);
    const accounts = await server.sql(address, "SELECT scope FROM partner.accounts ORDER BY scope");
    expect(accounts).toHaveLength(2);
    expect(movedUnder(simulator, "R-1")).toEqual([1]);
  });
});
