import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const pay = (office: Office, reference: string) =>
  office.at(
    "runner",
  )`transfer --from 9000112233 --to 9000112244 --amount ${reference.length + 7} --description d --reference ${reference} --yes`;
const guards = ["new_orders_are_approved", "orders_are_approved"];
const guarded = (state: "ENABLE ALWAYS" | "DISABLE") =>
  guards.map((name) => `ALTER TABLE partner.movements ${state} TRIGGER ${name};`).join(" ");

withPostgres("journal verify applies the rules in force at the time", (server) => {
  beforeAll(() => hire(server));

  test("to orders without a batch, before approval became mandatory and after", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    expect((await pay(office, "S-1")).exit).toBe(0);
    await office.at("owner")`journal migrate --roles --require-approval`;
    expect((await pay(office, "S-22")).exit).toBe(2);
    await office.root("UPDATE partner.policy SET requires_approval = false");
    expect((await pay(office, "S-333")).exit).toBe(0);
    await office.root("UPDATE partner.policy SET requires_approval = true");
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(guarded("DISABLE"));
    expect((await pay(office, "S-4444")).exit).toBe(0);
    await office.root(guarded("ENABLE ALWAYS"));
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("the order S-4444 left without a batch while approval was demanded");
  });

  test("and reports approvals that had expired when the first row of their batch left", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.rule({ expiry: "1h" });
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(`SET session_replication_role = replica; ALTER TABLE partner.facts DISABLE TRIGGER ALL;
      ALTER TABLE partner.approvals DISABLE TRIGGER ALL; UPDATE partner.approvals SET decided_at = decided_at - 7200000;
      UPDATE partner.facts f SET at = a.decided_at, body = to_jsonb(a)::text FROM partner.approvals a WHERE f.step = 'approve';
      UPDATE partner.facts SET seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, said_by,
        coalesce(batch, ''), body), 'UTF8')), 'hex') WHERE step = 'approve'`);
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("approvals of it had expired");
  });

  test("and reports an approval decided after the orders of its batch had left", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(`SET session_replication_role = replica; ALTER TABLE partner.facts DISABLE TRIGGER ALL;
      UPDATE partner.facts f SET number = -placed.place FROM
        (SELECT number, row_number() OVER (ORDER BY step = 'approve', number) AS place FROM partner.facts) placed
        WHERE f.number = placed.number;
      UPDATE partner.facts SET number = -number;
      UPDATE partner.facts SET after_event = (SELECT events FROM partner.journal) WHERE step = 'approve';
      UPDATE partner.facts SET seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, said_by,
        coalesce(batch, ''), body), 'UTF8')), 'hex')`);
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("no other person had approved it before");
  });

  test("and reports a deputy's approval for a person who had already approved", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.rule({ levels: [{ approvals: 2 }] });
    const batch = await office.submit("amina", 2);
    for (const person of ["baraka", "neema"] as const) await office.at(person)`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(`SET session_replication_role = replica; ALTER TABLE partner.facts DISABLE TRIGGER ALL;
      ALTER TABLE partner.approvals DISABLE TRIGGER ALL;
      UPDATE partner.approvals SET acting_for = '["baraka"]' WHERE decided_by = 'neema';
      UPDATE partner.facts f SET body = to_jsonb(a)::text FROM partner.approvals a
        WHERE f.step = 'approve' AND a.decided_by = 'neema' AND f.said_by = 'neema';
      UPDATE partner.facts SET seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, said_by,
        coalesce(batch, ''), body), 'UTF8')), 'hex') WHERE step = 'approve'`);
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("it had 1 of 2 approvals before");
  });

  test("and reports an approval by a person outside the required group", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.root("CREATE ROLE auditing_treasury NOLOGIN; GRANT auditing_treasury TO baraka");
    await office.rule({ levels: [{ approvals: 1, groups: ["auditing_treasury"] }] });
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(`SET session_replication_role = replica; ALTER TABLE partner.facts DISABLE TRIGGER ALL;
      ALTER TABLE partner.approvals DISABLE TRIGGER ALL; UPDATE partner.approvals SET member_of = '[]';
      UPDATE partner.facts f SET body = to_jsonb(a)::text FROM partner.approvals a WHERE f.step = 'approve';
      UPDATE partner.facts SET seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, said_by,
        coalesce(batch, ''), body), 'UTF8')), 'hex') WHERE step = 'approve'`);
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("no one of auditing_treasury had approved it before");
  });
});
