import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { test as base } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { everything, later, paid, payout, personal, redact, salaries, settled, submit } from "./four-eyes-salaries.ts";

// Orders in more than one batch, and lines in an archive: redacted rows, orders and lines still match.

const test = base.extend({ extensions: true });
const rowsAndOrders = `SELECT count(*)::int AS rows, count(m.number)::int AS orders FROM partner.batch_rows r
  LEFT JOIN partner.movements m ON m.reference = r.reference AND m.request_hash = r.request_hash`;

withPostgres("journal redact of batches with equal rows", (server) => {
  beforeAll(() => hire(server));

  test("keeps rows and orders matched for a rejected batch and for the batch that was paid instead", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const first = await submit(office, "S-1", "S-2");
    await office.at("baraka")`batch reject ${first} --reason "Ask Asha Juma" --yes`;
    const second = await submit(office, "S-1", "S-2");
    await office.at("baraka")`batch approve ${second} --yes`;
    await settled(office, second);
    const denied = await office.at("amina", later)`${redact}`;
    expect([denied.exit, denied.stderr]).toEqual([
      3,
      expect.stringContaining("Only the owner of the shared journal redacts its orders."),
    ]);
    const redacted = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 2, batches: 2 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.root(rowsAndOrders)).toEqual([{ rows: 4, orders: 4 }]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });

    const file = openDesk().write(salaries("S-1", "S-2"));
    const again = await office.at("amina", payout)`batch submit ${file} --kind payout --json`;
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, { batch: second, state: "done" }]);
    expect(again.stderr).toContain("It was submitted before; its state is done.");
    expect(simulator.world.payouts.size).toBe(2);
  });

  test("matches a row with an order that was redacted earlier", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const file = openDesk().write(salaries("S-1"));
    await office.at("runner", payout)`batch run ${file} --kind payout --yes`;
    await office.at("runner", payout)`journal resolve --all`;
    const batch = await submit(office, "S-1", "S-2");
    const first = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(first.stdout)).toMatchObject({ orders: 1, batches: 0 });
    expect(await office.root(rowsAndOrders)).toEqual([{ rows: 2, orders: 0 }]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.at("amina")`batch withdraw ${batch}`;
    const second = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(second.stdout)).toMatchObject({ orders: 0, batches: 1 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.root(rowsAndOrders)).toEqual([{ rows: 2, orders: 1 }]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("skips a batch while a decision is not yet in the history, and redacts it in the next run", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await paid(office);
    await office.sql(
      "neema",
      `INSERT INTO partner.approvals (batch, digest, decision, reason, who)
        SELECT id, digest, 'rejected', 'Ask Asha Juma', '{}' FROM partner.batches WHERE id = '${batch}'`,
    );
    expect(await office.root("SELECT step FROM partner.pending_facts")).toEqual([{ step: "reject" }]);
    const first = await office.at("owner", later)`${redact}`;
    expect([JSON.parse(first.stdout), first.stderr]).toMatchObject([
      { orders: 0, batches: 0 },
      expect.stringContaining("Run the same command again."),
    ]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    const second = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(second.stdout)).toMatchObject({ orders: 1, batches: 1 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("keeps earlier heads and archives valid, and works with later archives", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await paid(office, "S-1");
    const { stdout } = await office.at("auditor")`journal verify --json`;
    const head: string = JSON.parse(stdout).head;
    const { folder } = openDesk();
    const [early, late] = [join(folder, "early.ndjson"), join(folder, "late.ndjson")];
    const archived = await office.at("owner")`journal archive --before 2026-06-01 --save ${early}`;
    expect(archived).toMatchObject({ exit: 0 });
    await paid(office, "S-2");
    expect(await office.at("owner", later)`${redact}`).toMatchObject({ exit: 0 });
    expect(await everything(office)).not.toMatch(personal);
    for (const asked of [`--head ${head}`, `--since ${head}`, early])
      expect([asked, (await office.at("auditor")`journal verify ${asked}`).exit]).toEqual([asked, 0]);
    expect(await office.at("owner", later)`journal archive --before 2027-01-01 --save ${late}`).toMatchObject({
      exit: 0,
    });
    for (const asked of [`--head ${head}`, early, late])
      expect([asked, (await office.at("auditor")`journal verify ${asked}`).exit]).toEqual([asked, 0]);
  });

  test("does not make a maker's next batch look like the first one", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const checker = office.at("baraka", { terminal: { stdin: true, stderr: true }, answers: [false] });
    const look = async (batch: string) => (await checker`batch approve ${batch}`).stderr;
    const first = await submit(office, "S-1");
    expect(await look(first)).toContain("It is the maker's first batch.");
    expect(await office.at("baraka")`batch approve ${first} --yes`).toMatchObject({ exit: 0 });
    await settled(office, first);
    expect(await office.at("owner", later)`${redact}`).toMatchObject({ exit: 0 });
    expect(await look(await submit(office, "S-2"))).toContain(
      `The maker's previous batch, ${first}, was redacted or cannot be read: this one is compared with none.`,
    );
  });
});
