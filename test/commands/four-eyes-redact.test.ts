import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { redactedBatches } from "../../src/journal/postgres/chain/redact-sql.ts";
import { approvalsLayout } from "../../src/journal/postgres/approvals/schema.ts";
import { journalLayout } from "../../src/journal/postgres/schema.ts";
import { inboxLayout } from "../../src/webhooks/inbox/postgres-schema.ts";
import { test as base } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { everything, later, paid, payout, personal, redact, settled, submit } from "./four-eyes-salaries.ts";

// Submitted batches with people who must be forgotten, and decisions that must still be provable.

const test = base.extend({ extensions: true });
const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");
const [script = "", proofScript = ""] = [...page.matchAll(/```python\n([^`]*)```/g)].map(([, lines]) => lines);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const follow = (lines: string, file: string) => spawnSync("python3", ["-c", lines, file], { encoding: "utf8" }).status;

withPostgres("journal redact of submitted batches", (server) => {
  beforeAll(() => hire(server));

  test("leaves no person in any table, and all decisions provable with an earlier head", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await paid(office);
    const rejected = await submit(office, "S-2");
    expect(await office.at("baraka")`batch reject ${rejected} --reason "Asha Juma has left" --yes`).toMatchObject({
      exit: 0,
    });
    const desk = openDesk();
    const history = join(desk.folder, "history.ndjson");
    const { stderr } = await office.at("auditor")`journal export --events --save ${history}`;
    const head = /head ([0-9a-f]{64})/.exec(stderr)?.[1] ?? "";
    expect(await everything(office)).toMatch(personal);

    const looked = await office.at("owner", later)`journal redact --older-than 400d --dry-run --json`;
    expect(JSON.parse(looked.stdout)).toMatchObject({ orders: 1, batches: 2, redacted: false });
    const redacted = await office.at("owner", later)`${redact}`;
    expect(redacted).toMatchObject({ exit: 0 });
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 1, batches: 2, redacted: true });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify --head ${head}`).toMatchObject({ exit: 0 });
    expect(JSON.parse((await office.at("owner", later)`${redact}`).stdout)).toMatchObject({ orders: 0, batches: 0 });

    const shown = await office.at("auditor")`batch show ${batch} --json`;
    expect(shown).toMatchObject({ exit: 0 });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      batch: { batch, state: "done", file: null, rows: 1, submittedBy: "amina" },
      decisions: [{ decision: "approved", by: "baraka" }],
      rows: [],
    });
    const listed = await office.at("auditor")`batch list --json`;
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { batch: rejected, state: "rejected" },
      { batch, state: "done" },
    ]);
    const again = await office.at("runner", payout)`batch run --approved ${batch} --yes --json`;
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, [{ batch, accepted: 1 }]]);
    expect([...simulator.world.payouts.values()].length).toBe(1);
    const decided = await office.at("neema")`batch reject ${batch} --reason "Asha Juma again" --yes`;
    expect([decided.exit, decided.stderr]).toEqual([4, expect.stringContaining(`batch ${batch} was redacted`)]);

    await office.at("auditor")`journal export --events --save ${history}`;
    const proof = join(desk.folder, "proof.json");
    const proved = await office.at("auditor")`journal prove S-1 --save ${proof}`;
    expect(proved).toMatchObject({ exit: 0 });
    expect(proved.stderr).toContain("can't be recomputed");
    const { redactedLines, chain } = JSON.parse(readFileSync(proof, "utf8"));
    const steps = redactedLines.map((line: number) => chain[line - 1].step);
    expect([steps[0], steps.includes("claim"), steps.includes("weigh")]).toEqual(["submit", true, false]);
    expect(await office.at("auditor")`journal verify --export ${history}`).toMatchObject({ exit: 0 });
    if (hasPython) expect([follow(script, history), follow(proofScript, proof)]).toEqual([0, 0]);
    expect((await office.at("owner")`doctor`).stdout).not.toMatch(/missing|was changed|is disabled/);
  });

  test("skips a batch that is not over, is young, or has an order that is not over", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await paid(office);
    const young = await office.at("owner")`${redact}`;
    expect(JSON.parse(young.stdout)).toMatchObject({ orders: 0, batches: 0 });
    expect(young.stderr).not.toContain("is not over");
    const waiting = await submit(office, "S-2");
    const approved = await submit(office, "S-3");
    await office.at("baraka")`batch approve ${approved} --yes`;
    faults.loseNextAnswer();
    await office.at("runner", payout)`batch run --approved ${approved} --yes`;
    await simulator.idle();
    const rejected = await office.at("neema")`batch reject ${approved} --reason "Ask Asha Juma" --yes`;
    expect(rejected).toMatchObject({ exit: 0 });
    const redacted = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 1, batches: 1 });
    expect(redacted.stderr).toContain("2 submitted batches are not over, and keep their texts, with 0 orders.");
    for (const batch of [waiting, approved])
      expect((await office.at("auditor")`batch show ${batch} --json`).stdout).toContain("ASHA JUMA");
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await expect(
      office.root(`UPDATE partner.batches SET content = '', redacted_digest = 'x' WHERE id = '${waiting}'`),
    ).rejects.toThrow("is not over");
    await office.at("runner", payout)`journal resolve --all`;
    expect(await office.at("amina")`batch withdraw ${waiting}`).toMatchObject({ exit: 0 });
    const rest = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(rest.stdout)).toMatchObject({ orders: 1, batches: 2 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("removes the words with which a row was called refused", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await submit(office, "S-1");
    await office.at("baraka")`batch approve ${batch} --yes`;
    faults.plan("reset-request=payout");
    await office.at("runner", payout)`batch run --approved ${batch} --yes`;
    await simulator.idle();
    for (const person of ["baraka", "runner"] as const)
      await office.at(person, payout)`journal resolve S-1 --as refused --evidence "Asha Juma got nothing"`;
    expect(JSON.parse((await office.at("auditor")`journal list --json`).stdout)).toMatchObject([{ state: "refused" }]);
    const kept = await office.at("owner", later)`${redact}`;
    expect([JSON.parse(kept.stdout).orders, kept.stderr]).toEqual([
      0,
      expect.stringContaining("1 submitted batch is not over, and keeps its texts, with 1 order."),
    ]);
    await office.at("neema")`batch reject ${batch} --reason "Juma is gone" --yes`;
    expect(JSON.parse((await office.at("owner", later)`${redact}`).stdout)).toMatchObject({ orders: 1, batches: 1 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    const again = await office.at("runner", payout)`batch run --approved ${batch} --yes`;
    expect([again.exit, again.stdout]).toEqual([2, ""]);
    expect(simulator.world.payouts.size).toBe(0);
  });

  test("removes values given for all rows, such as a phone number in --set", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const file = openDesk().write("reference,amount\nS-1,5000\n");
    const said = "--set to=255712000111 --set name=ASHA --set narration=JUMA --from 9000112233";
    const submitted = await office.at("amina", payout)`batch submit ${file} --kind payout ${said} --json`;
    expect(submitted).toMatchObject({ exit: 0 });
    await office.at("amina")`batch withdraw ${JSON.parse(submitted.stdout).batch}`;
    expect(await everything(office)).toMatch(/255712000111/);
    expect(JSON.parse((await office.at("owner", later)`${redact}`).stdout)).toMatchObject({ orders: 0, batches: 1 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("is allowed to the owner only, and others are refused before anything changes", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await paid(office);
    await office.at("runner")`ledger sync`;
    const before = await everything(office);
    for (const who of ["runner", "auditor", "amina"] as const)
      for (const line of [redact, "journal redact --older-than 400d --dry-run"]) {
        const ended = await office.at(who, later)`${line}`;
        expect([who, ended.exit, ended.stdout]).toEqual([who, 3, ""]);
        expect(ended.stderr).toContain("Only the owner of the shared journal redacts its orders.");
      }
    expect(await everything(office)).toBe(before);
  });

  test("is finished by the next run when it was broken off after the batches", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await paid(office);
    await office.root(`CREATE TABLE public.stop AS SELECT 1; CREATE FUNCTION public.stop() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
      CREATE TRIGGER stop BEFORE UPDATE ON partner.movements FOR EACH ROW EXECUTE FUNCTION public.stop()`);
    expect((await office.at("owner", later)`${redact}`).exit).not.toBe(0);
    await office.root("DROP TRIGGER stop ON partner.movements");
    const [stopped] = await office.root(
      "SELECT count(*)::int AS count FROM partner.batches WHERE redacted_digest IS NOT NULL",
    );
    expect(stopped).toEqual({ count: 1 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    expect(JSON.parse((await office.at("owner", later)`${redact}`).stdout)).toMatchObject({ orders: 1, batches: 0 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("is the only way to change a row: triggers refuse others, and without them journal verify notices", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await paid(office);
    const rejected = await submit(office, "S-2");
    await office.at("baraka")`batch reject ${rejected} --reason "Asha Juma has left" --yes`;
    await office.at("owner", later)`${redact}`;
    for (const [sql, says] of attacks) {
      await expect(office.root(sql)).rejects.toThrow(/never changed/);
      const [table = ""] = /partner\.\w+/.exec(sql) ?? [];
      await office.root(
        `CREATE TABLE public.kept AS SELECT * FROM ${table}; ALTER TABLE ${table} DISABLE TRIGGER ALL; ${sql}`,
      );
      const verified = await office.at("auditor")`journal verify`;
      expect([sql, verified.exit, verified.stdout]).toEqual([sql, 9, ""]);
      expect(verified.stderr).toContain(says);
      const places = table === "partner.batches" ? "OVERRIDING SYSTEM VALUE" : "";
      await office.root(`SET session_replication_role = replica; DELETE FROM ${table};
        INSERT INTO ${table} ${places} SELECT * FROM public.kept; DROP TABLE public.kept; ALTER TABLE ${table} ENABLE TRIGGER ALL`);
      expect([sql, (await office.at("auditor")`journal verify`).exit]).toEqual([sql, 0]);
    }
  });

  test("can't be faked: other words put in by the database's owner are noticed by journal verify", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await submit(office, "S-1");
    await office.at("baraka")`batch reject ${batch} --reason "Asha Juma has left" --yes`;
    await office.at("owner", later)`${redact}`;
    const seal =
      "encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, said_by, batch, body), 'UTF8')), 'hex')";
    await office.root(`ALTER TABLE partner.facts DISABLE TRIGGER ALL; ALTER TABLE partner.batches DISABLE TRIGGER ALL;
      UPDATE partner.batches SET description = (description::jsonb || '{"file":"other.csv"}')::text;
      UPDATE partner.facts f SET body = (f.body::jsonb || jsonb_build_object('description', b.description))::text
        FROM partner.batches b WHERE f.step = 'submit';
      UPDATE partner.facts SET redacted_seal = ${seal} WHERE step = 'submit'`);
    const verified = await office.at("auditor")`journal verify`;
    expect([verified.exit, verified.stderr]).toEqual([9, expect.stringContaining("history does not say so")]);
  });

  test("takes people out of a batch that an earlier version stored", async ({ simulator }) => {
    const today = await openOffice(server, simulator);
    await submit(today, "S-1");
    const [row] = await today.root(
      "SELECT description, encode(content, 'hex') AS content, orders FROM partner.batches",
    );
    const { description, content, orders } = Object.fromEntries(Object.entries(row ?? {}));
    const version = approvalsLayout.migrations.indexOf(redactedBatches);
    const before = [
      [journalLayout, journalLayout.migrations.length],
      [inboxLayout, inboxLayout.migrations.length],
      [approvalsLayout, version],
    ] as const;
    const former = [
      "CREATE SCHEMA partner; CREATE TABLE partner.layout (part text PRIMARY KEY, version integer NOT NULL);",
      ...before.flatMap(([{ noun, migrations }, count]) => [
        ...migrations.slice(0, count),
        `INSERT INTO partner.layout VALUES ('${noun}', ${count});`,
      ]),
      `INSERT INTO partner.batches (description, content, orders, who)
        VALUES ('${description}', '\\x${content}', '${orders}', '{}');`,
    ];
    const office = await openOffice(server, simulator, "", former.join("\n"));
    const [batch = ""] = (await office.root("SELECT id FROM partner.batches")).map((found) =>
      String(Object.values(found)[0]),
    );
    await office.at("baraka")`batch approve ${batch} --yes`;
    await settled(office, batch);
    const redacted = await office.at("owner", later)`${redact}`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 1, batches: 1 });
    expect(await everything(office)).not.toMatch(personal);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });
});

/** What an owner could try on redacted rows, and what `journal verify` says. */
const attacks = [
  ["UPDATE partner.batches SET content = 'reference,amount'", "is not what was submitted"],
  ["UPDATE partner.batches SET redacted_digest = digest", "history does not say so"],
  ["UPDATE partner.batch_rows SET amount = 1", "is not what was submitted"],
  ["UPDATE partner.batch_rows SET reference = 'S-9'", "is not what was submitted"],
  [`UPDATE partner.batch_rows SET request_hash = '${"0".repeat(64)}'`, "is not the row of its batch"],
  ["UPDATE partner.approvals SET decided_by = 'zuri'", "approvals"],
  ["UPDATE partner.approvals SET reason = 'because'", "approvals"],
  ["UPDATE partner.facts SET body = replace(body, 'amina', 'musa') WHERE step = 'submit'", "not as it was written"],
  ["UPDATE partner.facts SET body = replace(body, 'digest', 'digests') WHERE step = 'redact'", "not as it was written"],
] as const;
