import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, movedEach } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { openDesk } from "./journal-desk.ts";

const later = { now: now + 366 * 86_400_000 };

/** A transfer without a batch, and a batch of two, submitted and approved by different people. */
async function sent(office: Office): Promise<string> {
  await office.at(
    "runner",
  )`transfer --from 9000112233 --to 9000112244 --amount 7 --description d --reference S-1 --yes`;
  const batch = await office.submit("amina", 2);
  await office.at("baraka")`batch approve ${batch} --yes`;
  const { exit } = await office.at("runner")`batch run --approved --yes`;
  expect(exit).toBe(0);
  return batch;
}

withPostgres("an archive of a shared journal", (server) => {
  beforeAll(() => hire(server));

  test("is made by its owner only, and the chain with its decisions still verifies", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await sent(office);
    const heads = column((await office.at("auditor")`journal export --events --csv --columns hash`).stdout, "hash");
    const file = join(temporaryFolder(), "2026.ndjson");
    for (const person of ["runner", "auditor", "amina", "baraka"] as const) {
      const denied = await office.at(person, later)`journal archive --before 2027-01-01 --save ${file}`;
      expect(denied).toMatchObject({ exit: 3, stdout: "" });
      expect(denied.stderr).toContain("Only the owner of the shared journal archives its orders.");
    }
    const archived = await office.at("owner", later)`journal archive --before 2027-01-01 --save ${file} --json`;
    expect(archived).toMatchObject({ exit: 0 });
    expect(JSON.parse(archived.stdout)).toMatchObject({ orders: 3 });
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"approve"');
    const kept =
      "SELECT reference FROM partner.events e JOIN partner.movements m ON m.number = e.movement WHERE e.who <> '' AND step <> 'archive'";
    expect(await office.root(kept)).toEqual([]);
    expect(await office.at("auditor")`journal verify ${file}`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    for (const head of heads)
      expect(await office.at("auditor")`journal verify --head ${head}`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const again = await office.at(
      "runner",
    )`transfer --from 9000112233 --to 9000112244 --amount 7 --description d --reference S-1 --yes`;
    expect(again.exit).toBe(0);
    const next = await office.submit("amina", 2, "reference,amount\nR-8,70\nR-9,80\n");
    await office.at("baraka")`batch approve ${next} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("can't be faked with SQL by any role, and history can't be changed by the owner", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await sent(office);
    for (const sql of [
      "UPDATE partner.events SET archived = repeat('a', 64)",
      `UPDATE partner.movements SET owner = 'archived'`,
    ])
      for (const person of ["runner", "baraka", "auditor"] as const)
        await expect(office.sql(person, sql)).rejects.toThrow(/permission denied|only who owns/);
    await expect(
      office.root(`UPDATE partner.events SET archived = repeat('a', 64), note = 'x', to_state = 'refused'`),
    ).rejects.toThrow("history is never changed");
    await expect(office.root("DELETE FROM partner.events")).rejects.toThrow("never forgotten");
    await office.root(
      "ALTER TABLE partner.events DISABLE TRIGGER ALL; UPDATE partner.events SET archived = repeat('a', 64), who = '', note = NULL, request_id = NULL, evidence = NULL, replaced = NULL WHERE number = 2",
    );
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 9, stdout: "" });
  });

  test("of a local journal is copied into a shared one with it", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1", "R-2");
    const { head } = JSON.parse((await desk.partner`journal verify --json`).stdout);
    const file = join(temporaryFolder(), "2026.ndjson");
    await desk.at({ world: later }).partner`journal archive --before 2027-01-01 --save ${file}`;
    const address = await server.newDatabase();
    const shared = desk.at({ environment: { PARTNER_JOURNAL_URL: address } });
    expect(await shared.partner`journal migrate`).toMatchObject({ exit: 0 });
    expect(await shared.partner`journal copy`).toMatchObject({ exit: 0 });
    expect(await shared.partner`journal verify --head ${head}`).toMatchObject({ exit: 0 });
    expect(await shared.send("R-1")).toEqual([0]);
    expect(movedEach(simulator, 1)).toEqual([1]);
  });

  test("takes a single order as it takes many: its names are removed, and its head still verifies", async ({
    partnerIn,
  }) => {
    const address = await server.newDatabase();
    const desk = openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: address } });
    expect(await desk.partner`journal migrate`).toMatchObject({ exit: 0 });
    await desk.send("R-1");
    const { head } = JSON.parse((await desk.partner`journal verify --json`).stdout);
    const file = join(temporaryFolder(), "2026.ndjson");
    const archived = await desk.at({ world: later }).partner`journal archive --before 2027-01-01 --save ${file} --json`;
    expect(JSON.parse(archived.stdout)).toMatchObject({ orders: 1 });
    const named = "SELECT number FROM partner.events WHERE step <> 'archive' AND (who <> '' OR request_id IS NOT NULL)";
    expect(await server.sql(new URL(address).pathname.slice(1), named)).toEqual([]);
    expect(await desk.partner`journal verify --head ${head}`).toMatchObject({ exit: 0 });
  });

  test("keeps noted heads valid when roles are set up after the copy, and warns when they were before", async ({
    partnerIn,
  }) => {
    for (const isFirst of [false, true]) {
      const desk = openDesk(partnerIn);
      await desk.send("R-1");
      const { head } = JSON.parse((await desk.partner`journal verify --json`).stdout);
      const address = await server.newDatabase();
      const shared = desk.at({ environment: { PARTNER_JOURNAL_URL: address } });
      await shared.partner`journal migrate ${isFirst ? "--roles" : ""}`;
      const decide = "UPDATE partner.policy SET requires_approval = false";
      if (isFirst) await server.sql(new URL(address).pathname.slice(1), decide);
      const copied = await shared.partner`journal copy`;
      expect(copied.exit).toBe(0);
      expect(copied.stderr.includes("heads that were noted of the local journal are not in its chain")).toBe(isFirst);
      if (!isFirst) await shared.partner`journal migrate --roles --require-approval`;
      expect((await shared.partner`journal verify --head ${head}`).exit).toBe(isFirst ? 9 : 0);
    }
  });
});
