import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import type { Office, Person } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const approve = (office: Office, person: Person, batch: string) =>
  office.at(person)`batch approve ${batch} --yes --json`;

withPostgres("a checker's deputy", (server) => {
  beforeAll(() => hire(server));

  test("decides in the checker's place, and only one of the two counts", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.root("CREATE ROLE treasury; GRANT treasury TO baraka");
    await office.rule({ levels: [{ approvals: 2, groups: ["treasury"] }] });
    const batch = await office.submit("amina", 2);
    const delegated = await office.at("baraka")`approvals delegate --to zuri --until 2999-12-31 --json`;
    expect(delegated).toMatchObject({ exit: 0 });
    expect(JSON.parse(delegated.stdout)).toEqual({ by: "baraka", to: "zuri", until: "2999-12-31" });
    expect(JSON.parse((await office.at("auditor")`approvals show --json`).stdout).deputies).toEqual([
      { by: "baraka", to: "zuri", until: "2999-12-31" },
    ]);
    // The deputy acts with the checker's groups, and the checker does not count a second time.
    const first = await approve(office, "zuri", batch);
    expect(JSON.parse(first.stdout)).toMatchObject({ missing: "1 more approval is missing" });
    const beside = await approve(office, "baraka", batch);
    expect(beside.stderr).toContain("Your approval, or that of a deputy, counts already; 1 more approval is missing.");
    const shown = JSON.parse((await office.at("auditor")`batch show ${batch} --json`).stdout);
    expect(shown.decisions).toMatchObject([{ by: "zuri", actingFor: ["baraka"] }]);
    expect(await approve(office, "neema", batch)).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    await office.root("DROP ROLE treasury");
  });

  test("needs no checker role, cannot decide on batches of either person, and loses the right when it ends", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const [own, batch, later] = [
      await office.submit("musa", 1, "reference,amount\nM-1,1\n"),
      await office.submit("amina", 2),
      await office.submit("amina", 1, "reference,amount\nL-1,1\n"),
    ];
    expect(await approve(office, "musa", batch)).toMatchObject({ exit: 4 });
    await office.at("neema")`approvals delegate --to musa --until 2999-12-31`;
    expect(await approve(office, "musa", own)).toMatchObject({ exit: 3, stdout: "" });
    const decided = await approve(office, "musa", batch);
    expect(decided).toMatchObject({ exit: 0 });
    expect(JSON.parse(decided.stdout)).toMatchObject({ state: "approved", decidedBy: "musa" });
    // A deputy sees what the checker sees; a maker sees only a part.
    expect(await office.at("musa")`journal export --events`).toMatchObject({ exit: 0 });
    expect(await office.at("amina")`journal export --events`).toMatchObject({ exit: 3, stdout: "" });
    await office.root("SET session_replication_role = replica; UPDATE partner.delegations SET until_at = 1");
    expect(await approve(office, "musa", later)).toMatchObject({ exit: 4 });
    const [row] = await office.root(`SELECT digest FROM partner.batches WHERE id = '${later}'`);
    const digest = Object.values(row ?? {}).join("");
    const sql = `INSERT INTO partner.approvals (batch, digest, decision, who) VALUES ('${later}', '${digest}', 'approved', '')`;
    await expect(office.sql("musa", sql)).rejects.toThrow(/^musa$/);
    expect(await office.root("SELECT batch FROM partner.approvals")).toEqual([{ batch }]);
  });

  test("cannot decide for a checker on a batch that this checker submitted", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("zuri", 2);
    await office.at("zuri")`approvals delegate --to auditor --until 2999-12-31`;
    const refused = await approve(office, "auditor", batch);
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("auditor isn't a checker");
  });

  test("is named only by a checker, with a future end, and must be another person with access", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const lines = [
      "--to zuri",
      "--until 2999-12-31",
      "--to zuri --until 2026-02-30",
      "--to zuri --until 2001-01-01",
      "--to baraka --until 2999-12-31",
      "--to stranger --until 2999-12-31",
      "--to owner --until 2999-12-31",
      `--to ${office.group("checker")} --until 2999-12-31`,
    ];
    for (const line of lines) {
      const { exit, stdout } = await office.at("baraka")`${`approvals delegate ${line}`}`;
      expect({ line, exit, stdout }).toEqual({ line, exit: 2, stdout: "" });
    }
    for (const person of ["amina", "runner", "auditor"] as const)
      expect(await office.at(person)`approvals delegate --to zuri --until 2999-12-31`).toMatchObject({ exit: 3 });
    expect(await office.root("SELECT * FROM partner.delegations")).toEqual([]);
  });
});
