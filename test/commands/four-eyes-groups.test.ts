import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import type { Office, Person } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** `partner` of each person with the same database under another name. */
function renamed(office: Office, name: string) {
  return async (person: Person | "owner") => {
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf(person);
    const environment = { PARTNER_JOURNAL_URL: Object.assign(new URL(address), { pathname: `/${name}` }).href };
    return office.at(person, { environment });
  };
}

const takeAway = (group: string, ...people: readonly string[]) => `REVOKE ${group} FROM ${people.join(", ")}`;

withPostgres("groups of one database", (server) => {
  beforeAll(() => hire(server));

  test("give no rights in another database of the server", async ({ simulator }) => {
    const [here, there] = [await openOffice(server, simulator), await openOffice(server, simulator)];
    await there.root(takeAway(there.group("checker"), "baraka", "zuri", "neema"));
    await there.root(takeAway(there.group("runner"), "runner"));
    const elsewhere = await there.submit("amina", 2);
    const refused = await there.at("auditor")`batch approve ${elsewhere} --yes`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain(`GRANT ${there.group("checker")} TO`);
    await there.root("CREATE ROLE partner_checker NOLOGIN; GRANT partner_checker TO zuri");
    expect(await there.at("zuri")`batch approve ${elsewhere} --yes`).toMatchObject({ exit: 4, stdout: "" });
    const refusedToBaraka = await there.at("baraka")`batch approve ${elsewhere} --yes`;
    expect(refusedToBaraka.stderr).toContain("permission denied for database");
    expect(await there.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 3, stdout: "" });
    await there.root("DROP ROLE partner_checker");
    const batch = await here.submit("amina", 2);
    expect(await here.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    expect(await here.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("say nothing of who ordered: that is the user of each machine, and found by an index", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    for (const [person, reference] of [
      ["runner", "R-1"],
      ["second", "S-1"],
      ["runner", "R-2"],
    ] as const) {
      const order = `transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference ${reference} --again --yes`;
      expect(await office.at(person)`${order}`).toMatchObject({ exit: 0 });
    }
    const machine = { hostName: "desk", userName: "asha" };
    const asha = await office.at("runner", {
      machine,
    })`transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference A-1 --again --yes`;
    expect(asha).toMatchObject({ exit: 0 });
    const by = async (user: string) => (await office.at("auditor")`${`journal list --by ${user} --json`}`).stdout;
    const references = async (user: string) =>
      JSON.parse(await by(user)).map(({ reference }: { reference: string }) => reference);
    expect(await references("runner")).toEqual(["R-1", "R-2"]);
    expect(await references("second")).toEqual(["S-1"]);
    expect(await references("asha")).toEqual(["A-1"]);
    expect(await references(office.group("runner"))).toEqual([]);
    expect(await references("o'neill::json")).toEqual([]);
    const indexed = "SELECT indexdef FROM pg_indexes WHERE indexname = 'movements_user'";
    const [index] = await office.root(indexed);
    expect(JSON.stringify(index)).toContain("->> 'user'::text)), number)");
  });

  test("are missing after the database was renamed, until its owner makes them", async ({ simulator }) => {
    for (const name of ["renamed", `d${"é".repeat(31)}`]) {
      const office = await openOffice(server, simulator);
      const batch = await office.submit("amina", 2);
      await server.sql("postgres", `ALTER DATABASE ${office.database} RENAME TO "${name}"`);
      const at = renamed(office, name);
      const refused = await (await at("baraka"))`batch approve ${batch} --yes`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      expect(refused.stderr.match(/partner journal migrate --roles/g)).toHaveLength(1);
      expect(refused.stderr).toContain("it has no groups for this database");
      const made = await (await at("owner"))`journal migrate --roles`;
      const [, group = ""] = /(partner_checker_\S+),/.exec(made.stderr) ?? [];
      expect(Buffer.byteLength(group)).toBeLessThan(64);
      await server.sql("postgres", `GRANT "${group}" TO baraka`);
      expect(await (await at("baraka"))`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
      await server.sql("postgres", `REVOKE "${group}" FROM baraka`);
    }
  });

  test("give no rights in a copy of the database", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await server.sql("postgres", `CREATE DATABASE copied OWNER owner TEMPLATE ${office.database}`);
    const at = renamed(office, "copied");
    expect(await (await at("owner"))`journal migrate --roles`).toMatchObject({ exit: 0 });
    for (const person of ["amina", "baraka", "runner"] as const)
      expect((await (await at(person))`batch list`).stderr).toContain("permission denied for database");
  });
});
