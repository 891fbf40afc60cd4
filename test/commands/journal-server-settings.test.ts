import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk, timesMoved } from "./batch-service.ts";
import type { Anybody, Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const pay = "transfer --from 9000112233 --to 9000112244 --amount 99 --description rent --reference S-1 --yes";
const rows = String.raw`reference,amount,description
R-1,5,a\b 'x'
R-2,6,\x41\001
R-3,7,ü€\\
`;

/** People submit, approve, send, sync and verify, one after the other. */
const wholeStoryMs = 120_000;

/** What administrators set for a role or a database, for programs of their own. */
const settings = [
  "bytea_output = 'escape'",
  "standard_conforming_strings = off",
  "array_nulls = off",
  "row_security = off",
  "datestyle = 'German, DMY'",
  "timezone = 'Pacific/Kiritimati'",
  "search_path = 'pg_temp, public'",
  "default_transaction_isolation = 'serializable'",
  "synchronous_commit = off",
  "lock_timeout = '1ms'",
];

withPostgres("a database with settings of its own", (server) => {
  beforeAll(() => hire(server));

  test(
    "has orders submitted, approved, sent and found as in any other",
    { timeout: wholeStoryMs },
    async ({ simulator }) => {
      const office = await openOffice(server, simulator);
      for (const line of settings) await setFor(office, line);
      const done = async (person: Anybody, words: string) =>
        expect(await office.at(person)`${words}`).toMatchObject({ exit: 0 });
      await done("runner", pay);
      const file = openDesk().write(rows);
      const submitted = await office.at(
        "amina",
      )`batch submit ${file} --kind transfer --from 9000112233 --set to=9000112244 --json`;
      expect(submitted).toMatchObject({ exit: 0 });
      const batch = String(JSON.parse(submitted.stdout).batch);
      const shown = await office.at("baraka")`batch show ${batch} --json`;
      expect(shown).toMatchObject({ exit: 0 });
      expect(JSON.parse(shown.stdout).rows).toMatchObject([
        { description: String.raw`a\b 'x' [R-1]` },
        { description: String.raw`\x41\001 [R-2]` },
        { description: String.raw`ü€\\ [R-3]` },
      ]);
      await done("baraka", `batch approve ${batch} --yes`);
      await done("runner", "batch run --approved --yes");
      await done("runner", "ledger sync");
      await done("runner", "find S-1");
      await done("runner", `ledger sql "SELECT count(*) FROM rows"`);
      await setFor(office, "idle_in_transaction_session_timeout = '1ms'");
      await done("auditor", "journal verify");
      await done("runner", `${pay.replace("S-1", "S-2")} --again`);
      const singles = ["S-1", "S-2"].map((reference) => timesMoved(simulator, reference));
      expect([...movedEach(simulator, 3), ...singles]).toEqual([1, 1, 1, 1, 1]);
    },
  );

  test("that lets this role only read says so, and sends nothing", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await setFor(office, "default_transaction_read_only = on");
    expect(await office.at("runner")`journal list`).toMatchObject({ exit: 0 });
    const { exit, stdout, stderr } = await office.at("runner")`${pay}`;
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("its database or this role is set to read only (it says: cannot execute");
    expect(stderr).toContain("default_transaction_read_only");
    expect(stderr).not.toContain("standby");
    expect(timesMoved(simulator, "S-1")).toBe(0);
  });

  test.for(["57P05", "25P03"])(
    "that ends a connection for its time (%s) has the order sent over another one",
    async (state, { simulator }) => {
      const office = await openOffice(server, simulator);
      await office.root(`CREATE SEQUENCE public.looks; GRANT USAGE ON SEQUENCE public.looks TO PUBLIC;
      CREATE FUNCTION public.end_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF nextval('public.looks') = 1 THEN RAISE EXCEPTION USING ERRCODE = '${state}', MESSAGE = 'terminating connection'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER end_once BEFORE INSERT ON partner.movements FOR EACH ROW EXECUTE FUNCTION public.end_once()`);
      expect(await office.at("runner")`${pay}`).toMatchObject({ exit: 0 });
      expect(timesMoved(simulator, "S-1")).toBe(1);
    },
  );
});

/** Sets it for the database, and ends the connections from before. */
async function setFor(office: Office, line: string): Promise<void> {
  await office.root(`ALTER DATABASE ${office.database} SET ${line}`);
  await office.root(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}
