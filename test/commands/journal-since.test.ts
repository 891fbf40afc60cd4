import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { hire, openOffice } from "./four-eyes.ts";
import type { Desk } from "./journal-desk.ts";
import { openDesk } from "./journal-desk.ts";

const headIn = (stdout: string): string => String(JSON.parse(stdout).head);

/** What anyone could do who has the journal's file. */
function damage(desk: Desk, sql: string): void {
  const database = new DatabaseSync(desk.journal);
  const triggers = database
    .prepare("SELECT sql FROM sqlite_schema WHERE name IN ('events_stay', 'events_are_kept')")
    .all();
  database.exec(`DROP TRIGGER events_stay; DROP TRIGGER events_are_kept; ${sql}`);
  for (const { sql: trigger } of triggers) database.exec(String(trigger));
  database.close();
}

/** Keeps an order's row and its keys with their seals, and returns a function that puts them back. */
function keepRows(desk: Desk): () => void {
  const copy = `${desk.journal}.kept`;
  const database = new DatabaseSync(desk.journal);
  database.prepare("VACUUM INTO ?").run(copy);
  database.close();
  return () => {
    const changed = new DatabaseSync(desk.journal);
    changed.prepare("ATTACH ? AS kept").run(copy);
    changed.exec(`UPDATE movements AS m SET (state, evidence, note, settled_at, seal) =
      (SELECT state, evidence, note, settled_at, seal FROM kept.movements k WHERE k.number = m.number) WHERE number = 1;
      UPDATE order_keys AS o SET standing = (SELECT standing FROM kept.order_keys k WHERE k.movement = o.movement)
        WHERE movement = 1`);
    changed.close();
  };
}

describe("journal verify --since", () => {
  test("checks only what comes after a head that was verified here", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1", "R-2");
    const head = headIn((await desk.partner`journal verify --json`).stdout);
    await desk.send("R-3");
    damage(desk, "UPDATE events SET note = 'other' WHERE number = 2");
    expect((await desk.partner`journal verify`).exit).toBe(9);
    const since = await desk.partner`journal verify --since ${head} --json`;
    expect(since).toMatchObject({ exit: 0 });
    expect(JSON.parse(since.stdout)).toMatchObject({ orders: 3, lines: 3 });
    await desk.send("R-4");
    const next = await desk.partner`journal verify --since ${headIn(since.stdout)} --json`;
    expect(JSON.parse(next.stdout)).toMatchObject({ orders: 4, lines: 3 });
  });

  test.for([
    ["the head's own line", "UPDATE events SET archived = NULL, seal = 'x' WHERE number = 6"],
    ["a line behind it", "UPDATE events SET note = 'other' WHERE number = 8"],
    ["the last line", "DELETE FROM events WHERE number = (SELECT max(number) FROM events)"],
    ["an earlier order", "UPDATE movements SET state = 'refused' WHERE reference = 'LOST-1'"],
  ] as const)("notices that %s was changed", async ([, sql], { partnerIn, faults }) => {
    const desk = openDesk(partnerIn);
    faults.loseNextAnswer();
    await desk.send("LOST-1", "R-2");
    const head = headIn((await desk.partner`journal verify --json`).stdout);
    await desk.partner`journal resolve LOST-1 --as accepted --evidence seen`;
    await desk.send("R-3");
    expect((await desk.partner`journal verify --since ${head}`).exit).toBe(0);
    damage(desk, sql);
    expect(await desk.partner`journal verify --since ${head}`).toMatchObject({ exit: 9, stdout: "" });
  });

  test("notices that an earlier order was put back to before its outcome", async ({ partnerIn, faults }) => {
    const desk = openDesk(partnerIn);
    faults.loseNextAnswer();
    await desk.send("LOST-1", "R-2");
    const head = headIn((await desk.partner`journal verify --json`).stdout);
    const putBack = keepRows(desk);
    await desk.partner`journal resolve LOST-1 --as accepted --evidence seen`;
    expect((await desk.partner`journal verify --since ${head}`).exit).toBe(0);
    putBack();
    expect(await desk.partner`journal verify --since ${head}`).toMatchObject({
      exit: 9,
      stdout: "",
      stderr: expect.stringContaining("an order has a state without a history"),
    });
  });

  test("does not accept the head of another journal", async ({ partnerIn }) => {
    const [one, other] = [openDesk(partnerIn), openDesk(partnerIn)];
    await one.send("R-1");
    await other.send("R-2");
    const head = headIn((await one.partner`journal verify --json`).stdout);
    expect(await other.partner`journal verify --since ${head}`).toMatchObject({ exit: 9, stdout: "" });
  });
});

withPostgres("journal verify --since of a shared journal", (server) => {
  beforeAll(() => hire(server));

  test("checks only what comes after its head, and all decisions", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const send = async (content: string) => {
      const batch = await office.submit("amina", 0, content);
      await office.at("baraka")`batch approve ${batch} --yes`;
      expect((await office.at("runner")`batch run --approved --yes`).exit).toBe(0);
    };
    await send("reference,amount\nA-1,5\nA-2,6\n");
    const head = headIn((await office.at("auditor")`journal verify --json`).stdout);
    await send("reference,amount\nB-1,7\n");
    const replica = "SET session_replication_role = replica; ALTER TABLE partner.events DISABLE TRIGGER ALL;";
    await office.root(`${replica} UPDATE partner.events SET note = 'other' WHERE number = 1`);
    expect((await office.at("auditor")`journal verify`).exit).toBe(9);
    const since = await office.at("auditor")`journal verify --since ${head} --json`;
    expect(since).toMatchObject({ exit: 0 });
    expect(JSON.parse(since.stdout)).toMatchObject({ orders: 3, lines: 8 });
    // On a machine that never verified the journal, all of it is read.
    expect((await office.at("baraka")`journal verify --since ${head}`).exit).toBe(9);
    await office.root(`${replica} UPDATE partner.events SET note = 'other' WHERE number = 8`);
    expect((await office.at("auditor")`journal verify --since ${head}`).exit).toBe(9);
    await office.root(`${replica} UPDATE partner.events SET note = NULL WHERE number = 8`);
    expect((await office.at("auditor")`journal verify --since ${head}`).exit).toBe(0);
    await office.root(
      `${replica} ALTER TABLE partner.approvals DISABLE TRIGGER ALL; DELETE FROM partner.approvals WHERE number = 1`,
    );
    expect((await office.at("auditor")`journal verify --since ${head}`).exit).toBe(9);
  });

  test("notices that an earlier order was put back to before its outcome", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator);
    faults.loseNextAnswer();
    const line = "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference LOST-1 --yes";
    expect((await office.at("runner")`${line}`).exit).toBe(6);
    const head = headIn((await office.at("auditor")`journal verify --json`).stdout);
    const tables = ["movements", "order_keys"];
    await office.root(tables.map((name) => `CREATE TABLE public.${name} AS SELECT * FROM partner.${name}`).join(";"));
    const said = await office.at("runner")`journal resolve LOST-1 --as accepted --evidence seen`;
    expect(said.exit).toBe(0);
    expect((await office.at("auditor")`journal verify --since ${head}`).exit).toBe(0);
    const puttingBack = tables.map(
      (name) => `DELETE FROM partner.${name}; INSERT INTO partner.${name} SELECT * FROM public.${name}`,
    );
    await office.root(`SET session_replication_role = replica; ${puttingBack.join(";")}`);
    const verified = await office.at("auditor")`journal verify --since ${head}`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("an order has a state without a history");
  });
});
