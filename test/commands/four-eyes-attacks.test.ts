import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk, payouts, timesMoved, transfers } from "./batch-service.ts";
import type { Office, Person } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const approve = (who = "who") =>
  `INSERT INTO partner.approvals (batch, digest, decision, ${who}) SELECT id, digest, 'approved', '{}' FROM partner.batches`;
const order = `INSERT INTO partner.movements (number, id, key_hash, scope, kind, reference, state, request, request_hash,
  request_ids, opened_at, changed_at, who, batch, batch_row, claim, owner, claim_ends_at, seal)
  SELECT 99, 'x', 'x', coalesce(b.scope, 's'), 'transfer', 'R-1', 'sending', '{}', coalesce(r.request_hash, 'h'), '[]',
    1, 1, '{}', b.id, r.line, '1.x', 'x', 1, 'x'
  FROM (SELECT 1) AS one LEFT JOIN partner.batches b ON true LEFT JOIN partner.batch_rows r ON r.reference = 'R-1' LIMIT 1`;

/** SQL that a maker may try in order to work without a colleague. */
const ofMaker: readonly string[] = [
  approve(),
  approve("decided_by"),
  `SET ROLE partner_checker; ${approve()}`,
  `SET ROLE baraka; ${approve()}`,
  `SET SESSION AUTHORIZATION baraka; ${approve()}`,
  "SET session_replication_role = replica",
  "SET row_security = off; SELECT * FROM partner.batches",
  "GRANT partner_checker TO amina",
  "ALTER ROLE amina BYPASSRLS",
  "ALTER ROLE amina RENAME TO other",
  "UPDATE partner.policy SET requires_approval = false",
  "UPDATE partner.batches SET content = ''",
  "UPDATE partner.batches SET submitted_by = 'musa'",
  "DELETE FROM partner.batches",
  "TRUNCATE partner.batches CASCADE",
  "INSERT INTO partner.batches (description, content, orders, who, submitted_by) VALUES ('{}', '', '[]', '', 'musa')",
  "INSERT INTO partner.batches (description, content, orders, who, digest) VALUES ('{}', '', '[]', '', 'x')",
  "UPDATE partner.batch_rows SET request_hash = repeat('0', 64)",
  "INSERT INTO partner.batch_rows SELECT id, 9, 'transfer', 'R-9', repeat('0', 64) FROM partner.batches",
  "INSERT INTO partner.finished (batch) SELECT id FROM partner.batches",
  order,
  "UPDATE partner.movements SET state = 'prepared'",
  "UPDATE partner.journal SET movements = 0",
  "DELETE FROM partner.events",
  "ALTER TABLE partner.approvals DISABLE TRIGGER ALL",
  "ALTER TABLE partner.batches DISABLE ROW LEVEL SECURITY",
  "DROP TRIGGER decisions_are_taken ON partner.approvals",
  "CREATE OR REPLACE FUNCTION partner.is_same_person(role text) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
  "CREATE FUNCTION partner.approve() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'SELECT'",
  "CREATE TABLE partner.mine ()",
  "SELECT partner.last_decision('x')",
  "CREATE POLICY mine ON partner.approvals TO amina WITH CHECK (true)",
];

const refusal = /permission denied|must be (owner|superuser)|must have|cannot be renamed|row-level security policy/;

/** SQL of a person who may submit and approve, to approve their own batch. */
const ofBoth: readonly string[] = [
  approve(),
  `SET ROLE partner_checker; ${approve()}`,
  `SET ROLE partner_maker; ${approve()}`,
  `CREATE TEMP TABLE batches (id text, digest text, submitted_by text); SET search_path = pg_temp, partner; ${approve()}`,
  `SET search_path = trojan, pg_catalog; ${approve()}`,
  `SET search_path = trojan, pg_catalog; SET ROLE partner_checker; ${approve()}`,
  `BEGIN; SET CONSTRAINTS ALL DEFERRED; ${approve()}; COMMIT`,
  `PREPARE sneak AS ${approve()}; EXECUTE sneak`,
];

/** Functions and operators that hide the server's own in a search path. */
const trojan = `CREATE SCHEMA trojan; GRANT ALL ON SCHEMA trojan TO PUBLIC;
  CREATE FUNCTION trojan.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
  CREATE FUNCTION trojan.never(name, name) RETURNS boolean LANGUAGE sql AS 'SELECT false';
  CREATE OPERATOR trojan.= (LEFTARG = text, RIGHTARG = text, FUNCTION = trojan.never);
  CREATE OPERATOR trojan.= (LEFTARG = name, RIGHTARG = name, FUNCTION = trojan.never);
  CREATE FUNCTION trojan.pg_has_role(name, text, text) RETURNS boolean LANGUAGE sql AS 'SELECT $3 = ''x''';`;

function decisions(office: Office): Promise<readonly object[]> {
  return office.root("SELECT decision, decided_by FROM partner.approvals");
}

/** Statements that were not refused as they should be, with what happened instead. */
async function allowed(
  office: Office,
  person: Person,
  statements: readonly string[],
  refused: RegExp,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of statements) {
    const sql = text.replaceAll(/\bpartner_(maker|checker)\b/g, (_, name) => office.group(name));
    const said = await office.sql(person, sql).then(
      () => "done",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (!refused.test(said)) found.push(`${sql}: ${said}`);
  }
  return found;
}

withPostgres("four eyes", (server) => {
  beforeAll(() => hire(server));

  test("keep people from approving what they submitted, even under another role of theirs", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("zuri", 2);
    const own = await office.at("zuri")`batch approve ${batch} --yes`;
    expect(own).toMatchObject({ exit: 3, stdout: "" });
    expect(own.stderr).toContain("submitted by zuri");
    expect(await office.at("zuri")`batch reject ${batch} --reason no --yes`).toMatchObject({ exit: 3 });
    await office.root(trojan);
    expect(await allowed(office, "zuri", ofBoth, /^zuri$|permission denied/)).toEqual([]);
    // A second login of the same person, as far as the database knows.
    await office.root("GRANT amina TO baraka");
    const byAmina = await office.submit("amina", 3);
    const other = await office.at("baraka")`batch approve ${byAmina} --yes`;
    await office.root("REVOKE amina FROM baraka; GRANT baraka TO amina");
    const otherWay = await office.at("baraka")`batch approve ${byAmina} --yes`;
    await office.root("REVOKE baraka FROM amina");
    expect([other.exit, otherWay.exit]).toEqual([3, 3]);
    expect(await decisions(office)).toEqual([]);
    expect(await office.at("baraka")`batch approve ${byAmina} --yes`).toMatchObject({ exit: 0 });
  });

  test("keep a maker from approving, changing or sending anything by SQL", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.submit("amina", 2);
    const before = await office.root("SELECT md5(string_agg(b::text, '')) FROM partner.batches b");
    expect(await allowed(office, "amina", ofMaker, refusal)).toEqual([]);
    expect(await office.root("SELECT md5(string_agg(b::text, '')) FROM partner.batches b")).toEqual(before);
    expect(await decisions(office)).toEqual([]);
    expect(await office.root("SELECT requires_approval FROM partner.policy")).toEqual([{ requires_approval: true }]);
    expect(await office.root("SELECT id FROM partner.movements")).toEqual([]);
  });

  test("hide the batches and orders of other people from a maker", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const tables = ["batches", "batch_rows", "approvals", "finished", "movements", "events"];
    const counts = tables.map((table) => `(SELECT count(*)::int FROM partner.${table}) AS ${table}`).join(", ");
    const none = Object.fromEntries(tables.map((table) => [table, 0]));
    expect(await office.sql("musa", `SELECT ${counts}`)).toEqual([none]);
    expect(await office.sql("amina", `SELECT ${counts}`)).toEqual([
      { batches: 1, batch_rows: 2, approvals: 1, finished: 1, movements: 2, events: 6 },
    ]);
    expect(await office.at("musa")`batch report ${batch}`).toMatchObject({ exit: 4 });
    const verified = await office.at("musa")`journal verify`;
    expect(verified).toMatchObject({ exit: 3 });
    expect(verified.stderr).toContain("sees only the orders of its own batches");
    expect((await office.at("musa")`doctor`).stdout).toMatch(/^journal +ok/m);
    // Orders hidden from a maker are not called missing; a part of the history proves nothing about all of it.
    await office.submit("musa", 3);
    await office.at("baraka")`batch reject ${await office.submit("musa", 4)} --reason no --yes`;
    for (const read of [office.at("amina")`journal export --events`, office.at("amina")`journal prove R-1`]) {
      const refused = await read;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      expect(refused.stderr).toContain("sees only the orders of its own batches");
      expect(refused.stderr).not.toContain("damaged");
    }
    expect(await office.at("auditor")`journal export --events`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("approve only what the approver saw", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const desk = openDesk();
    const file = desk.write(transfers(2));
    const batch = await office.submit("amina", 2);
    await office.submit("musa", 3);
    const other = `(SELECT digest FROM partner.batches WHERE id <> '${batch}')`;
    const digests = ["'x'", "repeat('0', 64)", other, "NULL"].map(
      (digest) =>
        `INSERT INTO partner.approvals (batch, digest, decision, who) VALUES ('${batch}', ${digest}, 'approved', '')`,
    );
    expect(await allowed(office, "baraka", digests, /not what was submitted/)).toEqual([]);
    expect(await office.at("baraka")`batch approve ${batch} --yes --expect-total 11`).toMatchObject({ exit: 2 });
    expect(await office.at("baraka")`batch approve ${batch} --yes --expect-count 3`).toMatchObject({ exit: 2 });
    expect(await office.at("baraka")`batch approve ${batch} --yes --expect-total 10`).toMatchObject({ exit: 0 });
    // A file changed since then is another batch, which has no approval.
    desk.write(transfers(2, () => 500_000));
    const changed = await office.at("runner")`batch run ${file} ${payouts} --yes --csv`;
    expect(changed.exit).toBe(8);
    expect(changed.stdout).toContain("it has no approval");
    expect(changed.stderr).toContain("Hint: See why in its rows. Submit it, have another person approve it");
    expect(changed.stderr).not.toContain("Run the same batch again");
    expect(movedEach(simulator, 2)).toEqual([0, 0]);
  });

  test("notice orders that differ from the file before the batch is approved", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.submit("amina", 2);
    await office.sql(
      "amina",
      `INSERT INTO partner.batches (description, content, orders, who)
        SELECT replace(description, id, 'abcdabcdabcdabcd'), content, replace(orders, 'R-2', 'R-3'), who FROM partner.batches`,
    );
    const forged = await office.at("baraka")`batch approve abcdabcdabcdabcd --yes`;
    expect(forged).toMatchObject({ exit: 3, stdout: "" });
    expect(forged.stderr).toContain("does not match its digest");
    await office.sql(
      "amina",
      'INSERT INTO partner.batches (description, content, orders, who) VALUES (\'{"id":"0123456789abcdef","scope":""}\', \'\', \'[[1,"transfer","R","\' || repeat(\'0\', 64) || \'"]]\', \'\')',
    );
    expect(await office.at("baraka")`batch approve 0123456789abcdef --yes`).toMatchObject({ exit: 3 });
    expect(await office.at("baraka")`batch list --json`).toMatchObject({ exit: 0 });
    expect(await office.at("baraka")`batch reject 0123456789abcdef --reason forged --yes`).toMatchObject({ exit: 0 });
    expect(await decisions(office)).toEqual([{ decision: "rejected", decided_by: "baraka" }]);
  });

  test("stop a batch that was changed in the database after approval, and no other batch", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    await office.root(`ALTER TABLE partner.batches DISABLE TRIGGER ALL;
      UPDATE partner.batches SET content = convert_to(replace(convert_from(content, 'UTF8'), ',5', ',500000'), 'UTF8');
      ALTER TABLE partner.batches ENABLE TRIGGER ALL`);
    const later = await office.submit("musa", 1, "reference,amount\nS-1,5\n");
    await office.at("baraka")`batch approve ${later} --yes`;
    const ran = await office.at("runner")`batch run --approved --yes`;
    expect(ran.exit).toBe(3);
    expect(ran.stderr).toContain("does not match its digest");
    expect(movedEach(simulator, 2)).toEqual([0, 0]);
    expect(timesMoved(simulator, "S-1")).toBe(1);
  });

  test("leave a batch unfinished when the database has lost one of its rows", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    await office.root("SET session_replication_role = replica; DELETE FROM partner.batch_rows WHERE line = 2");
    const ran = await office.at("runner")`batch run --approved --yes`;
    expect(ran.exit).toBe(3);
    expect(ran.stderr).toContain(`knows 1 of the 2 rows of batch ${batch}`);
    expect(await office.root("SELECT batch FROM partner.finished")).toEqual([]);
    expect(movedEach(simulator, 2)).toEqual([0, 1]);
  });

  test("allow no order without approval, by command, file or SQL, until approval is waived", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const single = await office.at(
      "runner",
    )`transfer --from 9000112233 --to 9000112244 --amount 5 --description x --yes`;
    expect(single).toMatchObject({ exit: 2, stdout: "" });
    expect(single.stderr).toContain("it has no approval");
    await office.submit("amina", 2);
    await expect(office.sql("runner", order)).rejects.toThrow("nobody approved the batch");
    await expect(office.sql("runner", approve())).rejects.toThrow("permission denied");
    await expect(office.sql("baraka", order)).rejects.toThrow("permission denied");
    await expect(office.root(order)).rejects.toThrow("nobody approved the batch");
    expect((await office.at("owner")`batch list`).stderr).toContain("owns the journal");
    expect((await office.at("baraka")`batch list`).stderr).not.toContain("owns the journal");
    expect(await office.at("owner")`journal migrate --roles --waive-approval`).toMatchObject({ exit: 0 });
    const waived = await office.at(
      "runner",
    )`transfer --from 9000112233 --to 9000112244 --amount 7 --description x --yes`;
    expect(waived).toMatchObject({ exit: 0 });
    // A submitted batch waits for its approval even so.
    const file = openDesk().write(transfers(2));
    expect(await office.at("runner")`batch run ${file} ${payouts} --yes`).toMatchObject({ exit: 8 });
    expect(movedEach(simulator, 2)).toEqual([0, 0]);
  });

  test("keep a runner from calling functions that a maker named like the server's own", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.root(
      "GRANT CREATE ON SCHEMA public TO PUBLIC; CREATE TABLE public.caught (by text); GRANT ALL ON public.caught TO PUBLIC",
    );
    for (const types of ["text, integer", "text, bigint"])
      await office.sql(
        "amina",
        `CREATE FUNCTION public.hashtextextended(${types}) RETURNS bigint LANGUAGE plpgsql
          AS 'BEGIN INSERT INTO public.caught VALUES (session_user); RETURN 1; END'`,
      );
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.root("SELECT * FROM public.caught")).toEqual([]);
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });
});
