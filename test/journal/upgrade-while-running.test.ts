import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { openDesk, transferOf } from "../commands/journal-desk.ts";
import { movementColumns, openRow, sealRow } from "../../src/journal/history/row.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { gone, layOut, restored } from "./former-version.ts";

// A run of an earlier version that continues after the upgrade knows neither lookup keys nor sums of a day: its
// orders would be missing when payments are compared and limits are counted.

/** The statements of version 0.1.0 for each step of an order. */
const formerLine = (schema: string) => `INSERT INTO ${schema}events
  (number, movement, at, step, from_state, to_state, request_id, evidence, note, replaced, who, seal)
  SELECT max(number) + 1, 1, 0, 'claim', NULL, 'prepared', NULL, NULL, NULL, NULL, '{}', 'seal' FROM ${schema}events`;
const elsewhere = "it was upgraded while this run of an earlier version went on";

describe("a journal of 0.1.0", () => {
  test("takes nothing more from a run of 0.1.0 after its upgrade", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    const former = new DatabaseSync(desk.journal);
    try {
      const line = former.prepare(formerLine(""));
      expect(await desk.send("NEW-1")).toEqual([0]);
      expect(() => line.run()).toThrow(elsewhere);
    } finally {
      former.close();
    }
    expect(await desk.partner`journal verify`).toMatchObject({ exit: 0 });
  });

  test("is not upgraded while an order of such a run is in flight, and can be read meanwhile", async ({
    partnerIn,
  }) => {
    const desk = openDesk(partnerIn, { world: { machine: { processFate: () => "running" } } });
    layOut(desk);
    const refused = await desk.partner`${transferOf("NEW-1")}`;
    expect(refused.exit).toBe(5);
    expect(refused.stderr).toContain('An earlier version of partner is sending the order "PREPARED-1" right now');
    expect(refused.stderr).toContain("No money moved");
    const listed = await desk.partner`journal list --json`;
    expect(listed.exit).toBe(0);
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ reference: "SENDING-1", state: "sending" }),
    );
    const ended = desk.at(gone);
    expect(await ended.send("NEW-1")).toEqual([0]);
  });
});

withPostgres("a shared journal of 0.1.0", (server) => {
  test("takes nothing more from hosts of 0.1.0 after its upgrade, and is not upgraded during their orders", async ({
    partnerIn,
  }) => {
    const address = await restored(server);
    const root = openDesk(partnerIn, {
      environment: { PARTNER_JOURNAL_URL: address },
      world: { machine: { processFate: () => "unclear" } },
    });
    const [done] = await server.sql(
      address,
      "SELECT row_to_json(m) AS row FROM partner.movements m WHERE reference = 'DONE-1'",
    );
    const leaseUntil = async (time: number) => {
      const row = {
        ...openRow(movementColumns, Reflect.get(Object(done), "row")),
        state: "sending",
        settled_at: null,
        claim_ends_at: time,
      };
      const { seal } = sealRow(movementColumns, row);
      await server.sql(
        address,
        `UPDATE partner.movements SET state = 'sending', settled_at = NULL, claim_ends_at = ${time}, seal = '${seal}'
          WHERE reference = 'DONE-1'`,
      );
    };
    // The server's own clock counts, not the one of the host that upgrades.
    await leaseUntil(Date.now() + 60_000);
    const refused = await root.partner`journal migrate`;
    expect(refused.exit).toBe(5);
    expect(refused.stderr).toContain('is sending the order "DONE-1" right now');
    await leaseUntil(Date.now() - 60_000);
    expect(await root.partner`journal migrate`).toMatchObject({ exit: 0 });
    await expect(server.sql(address, formerLine("partner."))).rejects.toThrow(elsewhere);
  });
});
