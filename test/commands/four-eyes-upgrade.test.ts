import { beforeAll, expect } from "vitest";
import { approvalsLayout } from "../../src/journal/postgres/approvals/schema.ts";
import { turnSlot, turnSql } from "../../src/journal/postgres/lock-slots.ts";
import { journalLayout } from "../../src/journal/postgres/schema.ts";
import { inboxLayout } from "../../src/webhooks/inbox/postgres-schema.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const before = [
  [journalLayout, 2],
  [inboxLayout, inboxLayout.migrations.length],
  [approvalsLayout, 1],
] as const;
const roles = ["maker", "checker", "runner", "auditor"].map(
  (name) => `DO $$ BEGIN CREATE ROLE partner_${name} NOLOGIN; EXCEPTION WHEN duplicate_object THEN END $$;`,
);
/** The database as it was before decisions kept what the approver saw. */
const former = [
  "CREATE SCHEMA partner; CREATE TABLE partner.layout (part text PRIMARY KEY, version integer NOT NULL);",
  ...roles,
  ...before.flatMap(([{ noun, migrations }, version]) => [
    ...migrations.slice(0, version),
    `INSERT INTO partner.layout VALUES ('${noun}', ${version});`,
  ]),
].join("\n");

/** The SQL by which an earlier version submitted the batch that an office has. */
async function submittedIn(office: Office): Promise<string> {
  const [row] = await office.root("SELECT description, encode(content, 'hex') AS content, orders FROM partner.batches");
  const { description, content, orders } = Object.fromEntries(Object.entries(row ?? {}));
  const lines = JSON.parse(orders).map((line: readonly unknown[]) => JSON.stringify(line.slice(0, 4)));
  return `INSERT INTO partner.batches (description, content, orders, who) VALUES
    ('${description.replace(',"orders":3', "")}', '\\x${content}', '[${lines.join(",\n")}]', '{}');`;
}

/** Amina had submitted it, and Baraka had approved it, in that version. */
const approved = `ALTER TABLE partner.batches DISABLE TRIGGER USER; ALTER TABLE partner.approvals DISABLE TRIGGER USER;
  UPDATE partner.batches SET submitted_by = 'amina';
  INSERT INTO partner.approvals (number, batch, digest, decision, who, decided_by, decided_at, seal)
    SELECT 1, id, digest, 'approved', '{}', 'baraka', submitted_at, encode(sha256(convert_to(concat_ws(E'\\n', 1, id, digest,
      'approved', 'baraka', submitted_at, ''), 'UTF8')), 'hex') FROM partner.batches;
  ALTER TABLE partner.batches ENABLE TRIGGER USER; ALTER TABLE partner.approvals ENABLE TRIGGER USER;`;

withPostgres("four eyes of an earlier version", (server) => {
  beforeAll(() => hire(server));

  test("are upgraded by journal migrate alone, by an owner who is not a superuser", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "", former);
    await office.root("UPDATE partner.policy SET requires_approval = true");
    const batch = await office.submit("amina", 2);
    expect(await office.at("amina")`batch approve ${batch} --yes`).toMatchObject({ exit: 3 });
    expect(await office.at("baraka")`batch approve ${batch} --yes --expect-total 10`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`ledger sync --start-date 2025-01-01`).toMatchObject({ exit: 0, stderr: "" });
    const sums = 'ledger sql "SELECT count(*) AS days FROM days" --csv';
    for (const reader of ["runner", "auditor"] as const)
      expect((await office.at(reader)`${sums}`).stdout).toMatch(/^days\n[1-9]/);
    expect(await office.at("amina")`${sums}`).toMatchObject({ exit: 3, stdout: "" });
    expect(await office.at("auditor")`ledger sync`).toMatchObject({ exit: 3 });
  });

  test("with a waiting batch: it is approved and sent as submitted, and needs the highest level of later rules", async ({
    simulator,
  }) => {
    const today = await openOffice(server, simulator);
    const batch = await today.submit("amina", 2);
    const submitted = await submittedIn(today);
    const office = await openOffice(server, simulator, "", `${former}\n${submitted}`);
    await office.rule({ levels: [{ upTo: "1000000", approvals: 1 }, { approvals: 2 }] });
    const first = await office.at("baraka")`batch approve ${batch} --yes --expect-total 10 --json`;
    expect(JSON.parse(first.stdout)).toMatchObject({ missing: "1 more approval is missing" });
    expect(await office.at("zuri")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    const later = { now: Date.now() + 500 * 86_400_000 };
    const redacted = await office.at("owner", later)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ orders: 2, batches: 1 });
    expect(JSON.stringify(await office.root("SELECT * FROM partner.batches"))).not.toContain("rent");
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("with an approved batch: its decision is in the history before its orders, and has to stay there", async ({
    simulator,
  }) => {
    const today = await openOffice(server, simulator);
    await today.submit("amina", 2);
    const office = await openOffice(server, simulator, "", `${former}\n${await submittedIn(today)} ${approved}`);
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    const exported = await office.at("auditor")`journal export --events --csv --columns step,user`;
    const steps = exported.stdout.split("\n");
    expect(steps).toEqual(expect.arrayContaining(["submit,amina", "approve,baraka", "claim,runner"]));
    expect(steps.indexOf("approve,baraka")).toBeLessThan(steps.indexOf("claim,runner"));
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(
      `ALTER TABLE partner.approvals DISABLE TRIGGER ALL; UPDATE partner.approvals SET decided_by = 'neema'`,
    );
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 9, stdout: "" });
  });

  test("from before commits took turns go on with approved batches once the owner has upgraded them", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 3);
    expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    const version = journalLayout.migrations.indexOf(turnSql);
    await office.root(`ALTER TABLE partner.lock_slots DISABLE TRIGGER USER;
      DELETE FROM partner.lock_slots WHERE slot = ${turnSlot}; ALTER TABLE partner.lock_slots ENABLE TRIGGER USER;
      UPDATE partner.layout SET version = ${version} WHERE part = 'journal'`);
    const early = await office.at("runner")`batch run --approved --yes`;
    expect(early).toMatchObject({ exit: 3, stdout: "" });
    expect(early.stderr).toContain(
      `is of version ${version}, and this partner needs ${journalLayout.migrations.length}`,
    );
    expect(await office.at("owner")`journal migrate`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    expect((await office.at("auditor")`doctor`).stdout).not.toMatch(/is missing|was changed/);
  });

  test("are reported as of an earlier version, and every batch is there after the upgrade", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    const earlier = approvalsLayout.migrations.length - 1;
    await office.root(`UPDATE partner.layout SET version = ${earlier} WHERE part = 'approvals'`);
    for (const line of ["batch list", `batch approve ${batch} --yes`, `batch status ${batch}`, "approvals show"]) {
      const { exit, stdout, stderr } = await office.at("baraka")`${line}`;
      expect({ line, exit, stdout }).toEqual({ line, exit: 3, stdout: "" });
      expect(stderr).toContain("are of an earlier version than this partner's");
      expect(stderr).toContain("Hint: Have its owner upgrade them: partner journal migrate");
    }
    expect(await office.at("runner")`journal resolve --all`).toMatchObject({ exit: 0 });
    expect(await office.at("owner")`journal migrate`).toMatchObject({ exit: 0 });
    expect(await office.at("baraka")`batch status ${batch}`).toMatchObject({ exit: 8 });
  });

  test("from a later version are reported as newer, and nothing is done with them", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    await office.root("UPDATE partner.layout SET version = 99 WHERE part = 'approvals'");
    for (const line of [`batch approve ${batch} --yes`, "batch list", "approvals show", "journal migrate"]) {
      const { exit, stdout, stderr } = await office.at(line === "journal migrate" ? "owner" : "baraka")`${line}`;
      expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
      expect(stderr).toContain("later version of partner");
    }
    const ran = await office.at("runner")`batch run --approved --yes`;
    expect(ran).toMatchObject({ exit: 3, stdout: "" });
    expect(movedEach(simulator, 2)).toEqual([0, 0]);
  });
});
