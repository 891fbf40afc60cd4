import { beforeAll, expect } from "vitest";
import type { Anybody, Office } from "../commands/four-eyes.ts";
import { hire, openOffice } from "../commands/four-eyes.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";

const name = "journal guards";
const well = { check: name, result: "ok", detail: "triggers, row security, owners and rights are as they were made" };

async function looked(office: Office, person: Anybody): Promise<{ readonly result: string; readonly detail: string }> {
  const { stdout } = await office.at(person)`doctor --json`;
  const rows: { check: string; result: string; detail: string }[] = JSON.parse(stdout);
  return rows.find(({ check }) => check === name) ?? { result: "none", detail: stdout };
}

/** A change by an administrator, the message about it, and how it is undone. */
const deeds: readonly (readonly [string, string, string])[] = [
  [
    "ALTER TABLE partner.movements DISABLE TRIGGER new_orders_are_approved",
    "trigger new_orders_are_approved of partner.movements is disabled",
    "ALTER TABLE partner.movements ENABLE ALWAYS TRIGGER new_orders_are_approved",
  ],
  [
    "ALTER TABLE partner.movements ENABLE TRIGGER orders_are_approved",
    "trigger orders_are_approved of partner.movements no longer fires for replicas",
    "ALTER TABLE partner.movements ENABLE ALWAYS TRIGGER orders_are_approved",
  ],
  [
    "ALTER TRIGGER events_stay ON partner.events RENAME TO sleeping",
    "trigger events_stay of partner.events is missing",
    "ALTER TRIGGER sleeping ON partner.events RENAME TO events_stay",
  ],
  [
    "ALTER TABLE partner.policy DISABLE ROW LEVEL SECURITY",
    "row security of partner.policy is off",
    "ALTER TABLE partner.policy ENABLE ROW LEVEL SECURITY",
  ],
  [
    "ALTER TABLE partner.approvals OWNER TO musa",
    "table partner.approvals belongs to musa, not to owner",
    "ALTER TABLE partner.approvals OWNER TO owner",
  ],
  [
    "ALTER FUNCTION partner.is_same_person(text) OWNER TO musa",
    "function partner.is_same_person belongs to musa, not to owner",
    "ALTER FUNCTION partner.is_same_person(text) OWNER TO owner",
  ],
  [
    "ALTER FUNCTION partner.is_same_person(text) SECURITY INVOKER",
    "function partner.is_same_person was changed",
    "ALTER FUNCTION partner.is_same_person(text) SECURITY DEFINER",
  ],
  [
    "ALTER FUNCTION partner.demand_approval() RESET search_path",
    "function partner.demand_approval was changed",
    "ALTER FUNCTION partner.demand_approval() SET search_path = pg_catalog, pg_temp",
  ],
  [
    "GRANT UPDATE ON partner.policy TO amina",
    "amina has UPDATE on partner.policy",
    "REVOKE UPDATE ON partner.policy FROM amina",
  ],
  [
    "GRANT UPDATE (state) ON partner.movements TO GROUP_maker",
    "GROUP_maker has UPDATE (state) on partner.movements",
    "REVOKE UPDATE (state) ON partner.movements FROM GROUP_maker",
  ],
  [
    "GRANT INSERT ON partner.approvals TO amina",
    "amina has INSERT on partner.approvals",
    "REVOKE INSERT ON partner.approvals FROM amina",
  ],
  [
    "GRANT EXECUTE ON FUNCTION partner.last_decision(text) TO PUBLIC",
    "PUBLIC has EXECUTE on partner.last_decision",
    "REVOKE EXECUTE ON FUNCTION partner.last_decision(text) FROM PUBLIC",
  ],
  [
    "GRANT CONNECT ON DATABASE THIS TO PUBLIC",
    "PUBLIC has CONNECT on the database",
    "REVOKE CONNECT ON DATABASE THIS FROM PUBLIC",
  ],
  [
    "CREATE POLICY sneak ON partner.approvals FOR INSERT TO amina WITH CHECK (true)",
    "policy sneak on partner.approvals is not partner's",
    "DROP POLICY sneak ON partner.approvals",
  ],
  [
    "ALTER POLICY checker_decides ON partner.approvals TO amina",
    "policy checker_decides on partner.approvals is not partner's",
    "ALTER POLICY checker_decides ON partner.approvals TO GROUP_checker",
  ],
  [
    "CREATE RULE lost AS ON INSERT TO partner.events DO INSTEAD NOTHING",
    "table partner.events has the rule lost",
    "DROP RULE lost ON partner.events",
  ],
];

withPostgres("the doctor of a shared journal", (server) => {
  beforeAll(() => hire(server));

  test("names each trigger, row policy, owner and right that was changed", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("baraka")`approvals delegate --to musa --until 2999-12-31`).toMatchObject({ exit: 0 });
    for (const person of ["owner", "amina", "baraka", "auditor"] as const)
      expect(await looked(office, person)).toEqual(well);
    const here = (sql: string) =>
      sql.replaceAll("THIS", office.database).replaceAll(/GROUP_(maker|checker)/g, (_, group) => office.group(group));
    for (const [deed, words, undoing] of deeds) {
      await office.root(here(deed));
      const found = await looked(office, "auditor");
      await office.root(here(undoing));
      expect([deed, found.result, found.detail.split(". ")[0]]).toEqual([deed, "problem", here(words)]);
    }
    expect(await looked(office, "auditor")).toEqual(well);
    await office.root("ALTER TABLE partner.finished DISABLE TRIGGER ALL");
    expect(await office.at("auditor")`doctor --strict`).toMatchObject({ exit: 9 });
  });

  test("warns of an address that logs in as a superuser, and of no other", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const { PARTNER_JOURNAL_URL: own = "" } = await office.environmentOf("runner");
    const root = Object.assign(new URL(own), { username: "postgres", password: server.password }).href;
    const detail = async (address: string) =>
      (await office.at("runner", { environment: { PARTNER_JOURNAL_URL: address } })`doctor --csv --no-header`).stdout;
    expect(await detail(root)).toMatch(/^journal,warning,.*logs in as a superuser/m);
    expect(await detail(own)).not.toContain("superuser");
  });

  test("checks a journal without four eyes, and one that was upgraded", async ({ partnerIn }) => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase() };
    const partner = partnerIn({ environment });
    expect(await partner`journal migrate`).toMatchObject({ exit: 0 });
    const row = async () => {
      const { stdout } = await partner`doctor --csv --no-header`;
      return stdout.split("\n").find((line) => line.startsWith(name));
    };
    expect(await row()).toContain(",ok,");
    await server.sql(environment.PARTNER_JOURNAL_URL, "ALTER TABLE partner.events DISABLE TRIGGER ALL");
    expect(await row()).toContain("trigger events_stay of partner.events is disabled");
  });
});
