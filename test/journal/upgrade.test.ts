import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { markSql } from "../../src/journal/sqlite/relocation.ts";
import { writersVersion } from "../../src/journal/sqlite/schema.ts";
import type { Desk } from "../commands/journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "../commands/journal-desk.ts";
import { timesMoved } from "../commands/batch-service.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { fixture, formerId, formerUrl, gone, layOut, restored, transportTo, withoutWriters } from "./former-version.ts";
import { openPlace } from "./orders.ts";

const orders: readonly (readonly [string, string])[] = [
  ["ACCEPTED-1", "accepted"],
  ["WITHDRAWN-1", "accepted"],
  ["REFUSED-1", "refused"],
  ["REFUSED-THEN-ACCEPTED-1", "accepted"],
  ["UNKNOWN-1", "unknown"],
  ["RESOLVED-BY-STATEMENT-1", "accepted"],
  ["REFUSED-BY-PERSON-1", "refused"],
  ["ACCEPTED-BY-PERSON-1", "accepted"],
  ["UNSENT-1", "unsent"],
  ["PENDING-1", "pending"],
  ["BATCH-1", "accepted"],
  ["BATCH-2", "accepted"],
  ["BATCH-3", "accepted"],
  ["ACCEPTED-2", "accepted"],
  ["PREPARED-1", "unsent"],
  ["SENDING-1", "unknown"],
];

/** The SQL that made them, as SQLite keeps it, with quotes around the name of a renamed table. */
function tablesOf(journal: string): readonly string[] {
  const database = new DatabaseSync(journal, { readOnly: true });
  try {
    const records = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
    return records.map((record) => Object.values(record).join(" ").replaceAll('"movements"', "movements"));
  } finally {
    database.close();
  }
}

/**
 * Marks the journal as moved, as any version does, and lets this one upgrade it. @param earlier makes it an earlier
 * one
 */
async function expectClosed(desk: Desk, earlier: string): Promise<void> {
  const target = "postgres://db.example/partner";
  const change = (sql: string) => {
    const database = new DatabaseSync(desk.journal);
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  };
  change(`${earlier}${markSql} INSERT INTO moved (only, target, at) VALUES (1, '${target}', 5)`);
  for (const line of [transferOf("NEW-1"), "journal resolve --all"]) {
    const refused = await desk.partner`${line}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(`was moved to ${target} and takes no orders any more`);
  }
  expect(await desk.partner`journal list --json`).toMatchObject({ exit: 0 });
  expect(() => change("UPDATE movements SET note = 'paid'")).toThrow("this journal was moved");
  expect(tablesOf(desk.journal)).toContainEqual(expect.stringContaining("events_writers_know"));
}

test("a moved journal of an earlier version with the current orders' table stays closed to orders", async ({
  partnerIn,
}) => {
  const desk = openDesk(partnerIn);
  expect(await desk.send("R-1")).toEqual([0]);
  await expectClosed(desk, `${withoutWriters}; PRAGMA user_version = ${writersVersion - 1};`);
});

describe("a journal of 0.1.0", () => {
  test("has all of its orders and every byte of its history", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    const listed: { reference: string; state: string }[] = JSON.parse((await desk.partner`journal list --json`).stdout);
    expect(listed.map(({ reference, state }) => [reference, state])).toEqual(orders);
    const exported = async () => (await desk.partner`journal export --events --output ndjson`).stdout;
    expect(await exported()).toBe(fixture("events.ndjson").toString());
    expect(await desk.partner`journal verify`).toMatchObject({ exit: 0 });
    await desk.send("NEW-1");
    expect(await exported()).toContain(fixture("events.ndjson").toString());
    expect(await desk.partner`journal verify`).toMatchObject({ exit: 0 });
  });

  test("on a read-only disk has all of its history, and is proved by it", async ({ partnerIn }) => {
    const sqlite = await memoryHost().sqlite();
    const readOnly = { ...sqlite, open: (path: string) => new DatabaseSync(path, { readOnly: true }) };
    const desk = openDesk(partnerIn, { world: { host: { sqlite: () => Promise.resolve(readOnly) } } });
    layOut(desk);
    const exported = await desk.partner`journal export --events --output ndjson`;
    expect(exported).toMatchObject({ exit: 0, stdout: fixture("events.ndjson").toString() });
    expect(await desk.partner`journal verify`).toMatchObject({ exit: 0 });
    expect(await desk.partner`journal show ACCEPTED-1`).toMatchObject({ exit: 0 });
    expect(await desk.partner`journal prove ACCEPTED-1`).toMatchObject({ exit: 0 });
  });

  test("has the tables, indexes and triggers of a new one from then on", async ({ partnerIn }) => {
    const [upgraded, made] = [openDesk(partnerIn, gone), openDesk(partnerIn)];
    layOut(upgraded);
    for (const desk of [upgraded, made]) expect(await desk.send("NEW-1")).toEqual([0]);
    expect(tablesOf(upgraded.journal)).toEqual(tablesOf(made.journal));
    expect(tablesOf(made.journal)).toContainEqual(expect.stringContaining("events_stay BEFORE UPDATE"));
  });

  test("that was moved is upgraded, and stays closed to orders", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    await expectClosed(desk, "");
  });

  test("sends none of its references again, whatever the service's address is by now", async ({
    partnerIn,
    simulator,
  }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    const held = orders.filter(([, state]) => state === "accepted" || state === "unknown");
    for (const [reference, state] of held) {
      const run =
        await desk.partner`transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference ${reference} --yes`;
      // Some had another amount or another kind.
      expect(run.exit).not.toBe(1);
      if (state === "unknown") expect(run.exit).toBe(6);
    }
    const [withdrawn, ...transferred] = held
      .map(([reference]) => reference)
      .toSorted((one) => (one === "WITHDRAWN-1" ? -1 : 1));
    expect(withdrawn).toBe("WITHDRAWN-1");
    const again =
      await desk.partner`withdraw --account 9000112233 --amount 7 --narration out --reference WITHDRAWN-1 --yes`;
    expect(again).toMatchObject({ exit: 0 });
    expect(movedUnder(simulator, ...transferred)).toEqual(transferred.map(() => 0));
  });

  test("isn't new, isn't a copy, and has a mark from then on", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    const host = memoryHost({ machine: { ...gone.world.machine, machineId: () => Promise.resolve("machine one") } });
    const journal = await openPlace({ stateFolder: desk.state, configFolder: desk.config }, { host });
    expect(await journal.unsure()).toBeUndefined();
    expect(journal.warnings).toEqual([]);
    await journal.close();
    const known = JSON.parse(readFileSync(join(desk.config, "journals.json"), "utf8"));
    expect(known).toMatchObject({ version: 2, journals: [{ id: formerId, place: desk.journal, since: null }] });
    expect(known.journals[0].accounts).toContainEqual(expect.stringMatching(/^simulator http:\S+ simulator$/));
    const putBack = desk.backUp();
    expect(await desk.send("NEW-1")).toEqual([0]);
    putBack();
    expect(await desk.send("NEW-1")).toEqual([3]);
  });

  test("belongs to its account, so another folder refuses that account's orders, opened or not", async ({
    partnerIn,
  }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    const second = desk.at({ state: join(temporaryFolder(), "state") });
    const refused = await second.partner`${transferOf("ACCEPTED-1")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(`they are in ${desk.journal}`);
    expect(await desk.send("NEW-1")).toEqual([0]);
  });

  test("that is missing stops orders, and a second journal names the place of the missing one", async ({
    partnerIn,
  }) => {
    const desk = openDesk(partnerIn, gone);
    layOut(desk);
    rmSync(desk.journal);
    expect((await desk.partner`${transferOf("NEW-1")}`).stderr).toContain("is missing, though there was one");
    const second = desk.at({ state: join(temporaryFolder(), "state") });
    expect((await second.partner`${transferOf("NEW-1")}`).stderr).toContain(`they may be in ${desk.journal}`);
  });
});

withPostgres("a shared journal of 0.1.0", (server) => {
  test("is upgraded with its orders, its history and its approvals", async ({ partnerIn, simulator }) => {
    const address = await restored(server);
    const as = (person: string) =>
      openDesk(partnerIn, {
        world: { host: { transport: (settings) => transportTo(simulator.baseUrl, settings) } },
        environment: {
          PARTNER_BASE_URL: formerUrl,
          PARTNER_JOURNAL_URL: Object.assign(new URL(address), { username: person, password: `pw-${person}` }).href,
        },
      }).partner;
    const [root, runner, checker] = [
      openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: address } }),
      as("runner"),
      as("baraka"),
    ];
    const before = await runner`batch run --approved --yes`;
    expect(before.exit).toBe(3);
    expect(before.stderr).toContain("partner journal migrate");
    expect((await root.partner`journal migrate`).exit).toBe(0);
    // Old lines stay the same lines, so a head noted earlier is still valid; batches and decisions follow.
    const lines = (await runner`journal export --events --output ndjson`).stdout;
    const former = fixture("shared-events.ndjson").toString();
    expect(lines.slice(0, former.length)).toBe(former);
    const added = lines.slice(former.length).trim().split("\n");
    expect(added.map((line) => JSON.parse(line).step)).toEqual([
      "submit",
      "approve",
      "submit",
      "approve",
      "submit",
      "begin",
    ]);
    // One row of the batch that was run before is unknown.
    expect((await runner`batch run --approved --yes`).exit).toBe(6);
    const references = ["DONE-1", "DONE-2", "DONE-3", "WAITING-1", "WAITING-2", "OPEN-1"];
    const moved = () => references.map((reference) => timesMoved(simulator, reference));
    expect(moved()).toEqual([0, 0, 0, 1, 1, 0]);
    expect((await checker`batch approve 6a4f3427cc9671e6 --yes`).exit).toBe(0);
    await runner`batch run --approved --yes`;
    expect(moved()).toEqual([0, 0, 0, 1, 1, 1]);

    // The role that made a person a checker of the whole server does not give access to this database.
    await server.sql(address, "GRANT partner_checker, partner_runner TO musa");
    const stranger = Object.assign(new URL(address), { username: "musa", password: "pw-musa" }).href;
    await expect(server.sql(stranger, "SELECT 1")).rejects.toThrow("permission denied for database");
    const verified = await root.partner`journal verify`;
    expect([verified.stderr, verified.exit]).toEqual(["", 0]);
  });
});
