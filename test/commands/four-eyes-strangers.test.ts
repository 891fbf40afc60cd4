import { Client } from "pg";
import { beforeAll, expect, onTestFinished } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** Locks that a person without rights may try to hold to make others wait. */
const holds: readonly string[] = [
  "SELECT pg_advisory_lock(n) FROM generate_series(0, 2000) n",
  "SELECT * FROM partner.lock_slots FOR UPDATE",
  "SELECT * FROM partner.lock_slots FOR KEY SHARE",
  "SELECT * FROM partner.journal FOR UPDATE",
  "SELECT * FROM partner.movements FOR SHARE",
  "LOCK TABLE partner.movements IN SHARE MODE",
  "LOCK TABLE partner.lock_slots IN ROW EXCLUSIVE MODE",
];

const ask = (members: string, group: string, person: string) =>
  `Members of ${members} may. If this role should, too, have the owner of the database run: GRANT ${group} TO ${person}`;

withPostgres("a person without rights", (server) => {
  beforeAll(() => hire(server));

  test("delays no payment, whatever locks they hold", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 3);
    await office.at("baraka")`batch approve ${batch} --yes`;
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("musa");
    for (const sql of holds) {
      const holder = new Client({ connectionString: address });
      holder.on("error", () => undefined);
      await holder.connect();
      onTestFinished(() => holder.end());
      await holder.query("BEGIN");
      await holder.query(sql).catch((error: unknown) => expect(String(error)).toMatch(/permission denied/));
    }
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  });

  test("is refused before the question when they may see a batch but not decide on it", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    const terminal = { stdin: true, stderr: true };
    const deeds = [`approve ${batch}`, `reject ${batch} --reason Wrong`] as const;
    for (const person of ["auditor", "runner"] as const)
      for (const deed of deeds) {
        // A question would have no answer here, and the test would fail.
        const ended = await office.at(person, { terminal })`batch ${deed}`;
        expect(ended).toMatchObject({ exit: 3, stdout: "" });
        expect(ended.stderr).toContain("This database role may not decide about batches.");
        expect(ended.stderr).toContain(`GRANT ${office.group("checker")} TO`);
      }
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner", { terminal })`batch reject ${batch} --reason Wrong`).toMatchObject({ exit: 3 });
    const environment = environmentFor(simulator);
    for (const line of ["batch run --approved", `batch run --approved ${batch}`]) {
      const { exit, stderr } = await office.at("auditor", { terminal, environment })`${line}`;
      expect({ exit, stderr }).toEqual({ exit: 3, stderr: expect.stringContaining("may not send batches") });
      expect(stderr).toContain(`GRANT ${office.group("runner")} TO`);
    }
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("changes nothing even with pg_write_all_data, and cannot connect without a grant", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    await office.root(
      "DROP ROLE IF EXISTS scribe; CREATE ROLE scribe LOGIN PASSWORD 'scribe'; GRANT pg_read_all_data, pg_write_all_data TO scribe",
    );
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    const as = async (text: string) => {
      const client = new Client({
        connectionString: Object.assign(new URL(address), { username: "scribe", password: "scribe" }).href,
      });
      await client.connect();
      try {
        return (await client.query<object>(text)).rowCount;
      } finally {
        await client.end();
      }
    };
    await expect(as("SELECT 1")).rejects.toThrow("permission denied for database");
    const database = new URL(address).pathname.slice(1);
    await office.root(`GRANT CONNECT ON DATABASE ${database} TO scribe`);
    const tables: readonly { readonly name: string }[] = Object.values(
      await office.root(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'partner'::regnamespace AND relkind = 'r'",
      ),
    ).map((row) => ({ name: String(Reflect.get(row, "name")) }));
    for (const { name } of tables) {
      const kept =
        /refuse|stays|kept|never|permission|changed|forgotten|done|keeps|lock|proof|seen|submitted|withdrawn/;
      await as(`DELETE FROM partner.${name}`).then(
        (count) => expect([name, count]).toEqual([name, 0]),
        (error: unknown) => expect(String(error)).toMatch(kept),
      );
    }
    expect(await as("UPDATE partner.policy SET requires_approval = false")).toBe(0);
    expect(await as("UPDATE partner.layout SET version = 0")).toBe(0);
    await expect(as("INSERT INTO partner.accounts (scope) VALUES ('x')")).rejects.toThrow("row-level security");
    expect(await office.root("SELECT requires_approval FROM partner.policy")).toEqual([{ requires_approval: true }]);
    expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    await office.root("DROP OWNED BY scribe; DROP ROLE scribe");
  });

  test("is named in the suggested GRANT exactly as the role is spelled", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    await office.root(
      `DROP ROLE IF EXISTS "Amina"; CREATE ROLE "Amina" LOGIN PASSWORD 'pw-amina'; GRANT ${office.group("maker")} TO "Amina"`,
    );
    const environment = { PARTNER_JOURNAL_URL: Object.assign(new URL(address), { username: "Amina" }).href };
    const { exit, stderr } = await office.at("amina", { environment })`ledger sync`;
    expect(exit).toBe(3);
    const [, granted = ""] = /run: (GRANT .*)\n/.exec(stderr) ?? [];
    await office.root(granted);
    const members = `SELECT m.member::regrole::text AS name FROM pg_auth_members m WHERE m.roleid = '${office.group("runner")}'::regrole`;
    const names = (await office.root(members)).map((row) => JSON.stringify(row));
    expect(names).toContain(JSON.stringify({ name: '"Amina"' }));
    expect(names).not.toContain(JSON.stringify({ name: "amina" }));
    await office.root('DROP OWNED BY "Amina"; DROP ROLE "Amina"');
  });

  test("in a renamed database is not advised to join the old database's groups", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await server.sql("postgres", `ALTER DATABASE ${office.database} RENAME TO moved`);
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    const environment = { PARTNER_JOURNAL_URL: Object.assign(new URL(address), { pathname: "/moved" }).href };
    const { exit, stderr } = await office.at("amina", { environment })`ledger status`;
    expect(exit).toBe(3);
    expect(stderr).not.toContain("GRANT");
    await server.sql("postgres", `ALTER DATABASE moved RENAME TO ${office.database}`);
  });

  test("sees which groups have the right, without table names", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const word = "--evidence seen";
    const denied = async (person: "amina" | "baraka" | "auditor", line: string, may: string, hint: string) => {
      const { exit, stdout, stderr } = await office.at(person)`${line}`;
      expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
      expect(stderr).toContain(`This database role${may}`);
      expect(stderr).toContain(`Hint: ${hint}\n`);
      expect(stderr).not.toContain("permission denied");
    };
    const runner = office.group("runner");
    const readers = `${office.group("auditor")} or ${runner}`;
    for (const person of ["amina", "baraka", "auditor"] as const)
      await denied(
        person,
        `journal resolve R-1 --as accepted ${word}`,
        ` (${person}) may not write to the shared journal`,
        ask(runner, runner, person),
      );
    await denied(
      "amina",
      `journal resolve R-1 --as refused ${word}`,
      " may not resolve rows of batches.",
      `If it should, have the owner of the database run: GRANT ${office.group("checker")} TO ROLE`,
    );
    for (const line of ["ledger status", 'ledger sql "select 1"', "find R-1 --offline"])
      await denied("amina", line, " (amina) may not read the shared ledger", ask(readers, "GROUP", "amina"));
    await denied(
      "amina",
      "webhook inbox list",
      " (amina) may not read the shared inbox",
      ask(readers, "GROUP", "amina"),
    );
    await denied(
      "auditor",
      "ledger sync",
      " (auditor) may not write to the shared ledger",
      ask(runner, runner, "auditor"),
    );
  });
});
