import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { describe, expect } from "vitest";
import { journalLayout } from "../../src/journal/postgres/schema.ts";
import { eventColumns, openRow, sealRow } from "../../src/journal/history/row.ts";
import { namedVersion } from "../../src/journal/sqlite/schema.ts";
import type { Desk } from "../commands/journal-desk.ts";
import { openDesk } from "../commands/journal-desk.ts";
import type { FaultsAtHand } from "../simulated.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { withoutWriters } from "./former-version.ts";

const dayMs = 86_400_000;
const stepsOf = (stdout: string) => stdout.trim().split("\n").slice(1);

/** An order whose answer was lost and is proved by a row of the statement; another one after it. */
async function prove(desk: Desk, faults: FaultsAtHand): Promise<void> {
  faults.loseNextAnswer();
  expect(await desk.send("LOST-1")).toEqual([6]);
  expect(await desk.partner`journal resolve LOST-1`).toMatchObject({ exit: 0 });
  expect(await desk.send("R-1")).toEqual([0]);
}

/** A line as it was written before history named rows. */
function unnamed(record: unknown): { readonly number: number; readonly replaced: string; readonly seal: string } {
  const event = openRow(eventColumns, record);
  const { proofs, ...before }: { proofs?: object } = Object(JSON.parse(event.replaced ?? "{}"));
  expect(Object.keys(proofs ?? {})).toHaveLength(1);
  const { number, seal } = sealRow(eventColumns, { ...event, replaced: JSON.stringify(before) });
  return { number, replaced: JSON.stringify(before), seal };
}

/** The upgrade adds one line, and a change of the row is noticed from then on. */
async function expectNamed({ partner }: Desk, change: () => Promise<unknown>): Promise<void> {
  expect(await partner`journal verify`).toMatchObject({ exit: 0 });
  const steps = stepsOf((await partner`journal export --events --csv --columns reference,step`).stdout);
  expect(steps.filter((line) => line === "LOST-1,prove")).toHaveLength(1);
  expect(steps.at(-1)).toBe("LOST-1,prove");
  expect(await partner`journal prove LOST-1 --json`).toMatchObject({ exit: 0 });
  await change();
  const verified = await partner`journal verify`;
  expect(verified).toMatchObject({ exit: 9, stdout: "" });
  expect(verified.stderr).toContain("a row of a statement differs from the row that proved its order");
  expect(await partner`journal prove LOST-1`).toMatchObject({ exit: 9, stdout: "" });
}

describe("the row of a statement that proves an order", () => {
  test("is named by history after an upgrade from an earlier version", async ({ partnerIn, faults }) => {
    const desk = openDesk(partnerIn);
    await prove(desk, faults);
    const database = new DatabaseSync(desk.journal);
    const triggers = database
      .prepare("SELECT sql FROM sqlite_schema WHERE name IN ('events_stay', 'proofs_stay')")
      .all();
    database.exec("DROP TRIGGER events_stay; DROP TRIGGER proofs_stay");
    const line = unnamed(database.prepare(`SELECT * FROM events WHERE replaced LIKE '%"proofs":%'`).get());
    database.prepare("UPDATE events SET replaced = :replaced, seal = :seal WHERE number = :number").run(line);
    for (const { sql } of triggers) database.exec(String(sql));
    database.exec(`${withoutWriters}; PRAGMA user_version = ${namedVersion - 1}`);
    database.close();
    await expectNamed(desk, async () => {
      const changed = new DatabaseSync(desk.journal);
      changed.exec("DROP TRIGGER proofs_stay; UPDATE proofs SET row = replace(row, '2026', '2025')");
      for (const { sql } of triggers.slice(1)) changed.exec(String(sql));
      changed.close();
    });
  });

  test("stays the one named by history when it is redacted, and when it goes to an archive", async ({
    partnerIn,
    faults,
  }) => {
    const desk = openDesk(partnerIn);
    await prove(desk, faults);
    const file = join(temporaryFolder(), "2026.ndjson");
    const later = desk.at({ world: { now: now + 500 * dayMs } });
    const verified = async () => (await later.partner`journal verify`).exit;
    expect(await later.partner`journal redact --older-than 400d --yes`).toMatchObject({ exit: 0 });
    expect(await verified()).toBe(0);
    expect(await later.partner`journal prove LOST-1 --json`).toMatchObject({ exit: 0 });
    expect(await later.partner`journal archive --before 2026-06-01 --save ${file}`).toMatchObject({
      exit: 0,
    });
    expect(await verified()).toBe(0);
    const database = new DatabaseSync(desk.journal);
    database.exec("DROP TRIGGER proofs_are_kept; DELETE FROM proofs");
    database.close();
    expect(await verified()).toBe(9);
  });
});

withPostgres("in a shared journal, the row of a statement that proves an order", (server) => {
  test("is named by history after an upgrade from an earlier version", async ({ partnerIn, faults }) => {
    const address = await server.newDatabase();
    const desk = openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: address } });
    await desk.partner`journal migrate`;
    await prove(desk, faults);
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query("SET session_replication_role = replica");
    const { rows } =
      await client.query(`SELECT number::float8, movement::float8, at::float8, step, from_state, to_state,
      request_id, evidence, note, replaced, who, seal FROM partner.events WHERE replaced LIKE '%"proofs":%'`);
    const { number, replaced, seal } = unnamed(rows[0]);
    await client.query("UPDATE partner.events SET replaced = $2, seal = $3 WHERE number = $1", [
      number,
      replaced,
      seal,
    ]);
    await client.query("UPDATE partner.layout SET version = $1 WHERE part = 'journal'", [
      journalLayout.migrations.length - 1,
    ]);
    expect((await desk.partner`journal verify`).exit).toBe(3);
    expect((await desk.partner`journal migrate`).exit).toBe(0);
    expect((await desk.partner`journal migrate`).exit).toBe(0);
    await expectNamed(desk, () => client.query(`UPDATE partner.proofs SET "row" = replace("row", '2026', '2025')`));
    await client.end();
  });
});
