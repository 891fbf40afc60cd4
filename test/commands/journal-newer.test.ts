import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect } from "vitest";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { newShared } from "../journal/shared-places.ts";
import { memoryHost } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk, transferOf } from "./journal-desk.ts";

/** Marks a database as made by a later version. */
function makeNewer(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA user_version = 99");
  database.close();
}

test("a journal of a later version is called newer, and never damaged, by every command", async ({ partnerIn }) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  makeNewer(desk.journal);
  for (const line of [transferOf("R-2"), "journal list", "journal verify", "journal recover", "journal move"]) {
    const { exit, stderr } = await desk.partner`${line}`;
    expect({ line, exit }).toEqual({ line, exit: 3 });
    expect(stderr).toContain("is newer than this partner: it was written by a later version of partner.");
    expect(stderr).toContain("Update partner, then run it again.");
    expect(stderr).not.toMatch(/damaged|backup|recover/);
  }
  expect((await desk.partner`doctor --json`).stdout).toContain("is newer than this partner");
});

test("an inbox of a later version is called newer, too", async ({ partnerIn }) => {
  const desk = openDesk(partnerIn);
  const inbox = await openInbox(memoryHost(), { stateFolder: desk.state, use: "write", warn: () => undefined });
  await inbox.close();
  makeNewer(join(desk.state, "inbox.db"));
  const { exit, stderr } = await desk.partner`webhook inbox list`;
  expect(exit).toBe(3);
  expect(stderr).toContain("is newer than this partner: it was written by a later version of partner.");
  expect(stderr).not.toMatch(/damaged|backup/);
});

test("a list of journals of a later version is called newer, and a damaged list is not", async ({ partnerIn }) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  const known = join(desk.config, "journals.json");
  writeFileSync(known, JSON.stringify({ version: 99, places: [] }));
  const newer = await desk.partner`${transferOf("R-2")}`;
  expect(newer.exit).toBe(3);
  expect(newer.stderr).toContain("was written by a later version of partner.");
  expect(newer.stderr).toContain("Update partner, then run it again.");
  expect(newer.stderr).not.toContain("move it away");
  writeFileSync(known, JSON.stringify({ version: 2, places: [] }));
  const damaged = await desk.partner`${transferOf("R-2")}`;
  expect(damaged.exit).toBe(3);
  expect(damaged.stderr).toContain("which says what journals there are, cannot be read.");
});

withPostgres("a database of a later version", (server) => {
  test.for(["journal", "inbox"] as const)(
    "with a newer %s is refused, and is not migrated back",
    async (part, { partnerIn }) => {
      const address = await newShared(server);
      const desk = openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: address } });
      await server.sql(address, `UPDATE partner.layout SET version = 99 WHERE part = '${part}'`);
      const lines =
        part === "journal"
          ? [transferOf("R-1"), "journal list", "journal migrate"]
          : ["webhook inbox list", "journal migrate"];
      for (const line of lines) {
        const { exit, stderr } = await desk.partner`${line}`;
        expect({ line, exit }).toEqual({ line, exit: 3 });
        expect(stderr).toContain("is newer than this partner: it was written by a later version of partner.");
        expect(stderr).toContain("Update partner, then run it again.");
        expect(stderr).not.toMatch(/damaged|backup/);
      }
    },
  );

  test("has no connection left that would keep the run from ending", async ({ partnerIn }) => {
    const address = await newShared(server);
    const desk = openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: address } });
    await server.sql(address, "UPDATE partner.layout SET version = 99 WHERE part = 'journal'");
    expect(await desk.partner`journal list`).toMatchObject({ exit: 3 });
    const others =
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'partner' AND datname = current_database()";
    await expect.poll(() => server.sql(address, others)).toEqual([]);
  });
});
