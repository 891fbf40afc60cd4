import { approvalsLayout } from "../../src/journal/postgres/approvals/schema.ts";
import { chainOfWords } from "../../src/journal/postgres/chain/words-sql.ts";
import { Client } from "pg";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, openDesk, payouts } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** A delegation, and an unknown row that a runner and a checker both call refused. */
async function said(office: Office, lose: () => void): Promise<string> {
  await office.at("baraka")`approvals delegate --to zuri --until 2999-12-31`;
  const batch = await office.submit("amina", 2);
  await office.at("neema")`batch approve ${batch} --yes`;
  lose();
  await office.at("runner")`batch run --approved --yes`;
  for (const person of ["runner", "baraka"] as const)
    await office.at(person)`journal resolve R-2 --as refused --evidence ticket-4711`;
  return batch;
}

const unbound = (sql: string) =>
  `SET session_replication_role = replica; ${["delegations", "refusals", "facts"]
    .map((table) => `ALTER TABLE partner.${table} DISABLE TRIGGER ALL;`)
    .join(" ")} ${sql}`;

const attacks: readonly (readonly [name: string, sql: string])[] = [
  ["a deputy is removed", "DELETE FROM partner.delegations"],
  ["another is the deputy", "UPDATE partner.delegations SET delegated_to = 'musa'"],
  [
    "a deputy is added without a word",
    "UPDATE partner.facts SET step = 'policy', seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, 'policy', at, said_by, coalesce(batch, ''), body), 'UTF8')), 'hex') WHERE step = 'delegate'",
  ],
  ["a checker's word is removed", "DELETE FROM partner.refusals WHERE by_checker"],
  ["a word is given another evidence", "UPDATE partner.refusals SET evidence = 'none'"],
];

withPostgres("the history of approvals", (server) => {
  beforeAll(() => hire(server));

  test("records who delegated and who called an order refused", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await said(office, () => faults.plan("reset-request=transfer:2"));
    const { stdout } = await office.at("auditor")`journal export --events --csv --columns step,id,user`;
    expect(stdout).toContain("delegate,,baraka\n");
    expect(stdout).toContain(`refuse,${batch},runner\n`);
    expect(stdout).toContain(`refuse,${batch},baraka\n`);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  describe("is compared with the tables by journal verify", () => {
    for (const [name, sql] of attacks)
      test(`when ${name}`, async ({ simulator, faults }) => {
        const office = await openOffice(server, simulator);
        await said(office, () => faults.plan("reset-request=transfer:2"));
        expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
        await office.root(unbound(sql));
        expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 9, stdout: "" });
      });
  });

  test("takes in delegations and refusals made before an upgrade", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator);
    await said(office, () => faults.plan("reset-request=transfer:2"));
    // As the previous version left it.
    await office.root(
      unbound(`DROP TRIGGER delegations_are_chained ON partner.delegations; DROP TRIGGER refusals_are_chained ON partner.refusals;
        DROP FUNCTION partner.chain_refusal; DROP TABLE partner.maker_locks CASCADE; DROP TRIGGER batches_are_apart ON partner.batches;
        DROP FUNCTION partner.wait_for_own; DROP TRIGGER batch_facts_are_chained ON partner.batch_facts;
        DROP FUNCTION partner.is_in; DROP TRIGGER rules_are_chained ON partner.rules;
        DROP TRIGGER starts_are_chained ON partner.starts;
        DELETE FROM partner.facts WHERE step IN ('delegate', 'refuse', 'weigh', 'begin');
        UPDATE partner.facts f SET number = n.place FROM (SELECT number, row_number() OVER (ORDER BY number) AS place FROM partner.facts) n
          WHERE n.number = f.number;
        UPDATE partner.facts SET seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, said_by,
          coalesce(batch, ''), body), 'UTF8')), 'hex');
        ALTER TABLE partner.facts ENABLE TRIGGER ALL; ALTER TABLE partner.delegations ENABLE TRIGGER ALL;
        ALTER TABLE partner.refusals ENABLE TRIGGER ALL;
        UPDATE partner.layout SET version = ${approvalsLayout.migrations.indexOf(chainOfWords)} WHERE part = 'approvals'`),
    );
    expect(await office.at("owner")`journal migrate`).toMatchObject({ exit: 0 });
    const { stdout } = await office.at("auditor")`journal export --events --csv --columns step`;
    expect(column(stdout, "step").slice(-5)).toEqual(["delegate", "refuse", "refuse", "weigh", "begin"]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("counts two concurrent submissions together against a limit", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.rule({ limits: { maker: { openBatches: 1 } } });
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    const amina = new Client({ connectionString: address });
    onTestFinished(() => amina.end());
    await amina.connect();
    const batch = `'{"id":"00000000000000aa","scope":"s"}', '', '[[1,"transfer","Q-1","${"0".repeat(64)}"]]', '{}'`;
    await amina.query(`BEGIN; INSERT INTO partner.batches (description, content, orders, who) VALUES (${batch})`);
    const submitting = office.at("amina")`batch submit ${openDesk().write("reference,amount\nX-1,1\n")} ${payouts}`;
    for (let waiting = 0; waiting === 0;) {
      const [row] = await office.root(
        "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = 'amina'",
      );
      waiting = Number(Reflect.get(row ?? {}, "waiting"));
    }
    await amina.query("COMMIT");
    expect(await submitting).toMatchObject({ exit: 4, stdout: "" });
    const [open] = await office.root("SELECT count(*)::int AS open FROM partner.batches");
    expect(open).toEqual({ open: 1 });
  });
});
