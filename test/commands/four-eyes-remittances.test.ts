import { beforeAll, expect } from "vitest";
import { remittanceExamples } from "../../src/movements/batch/columns.ts";
import { approvalsLayout } from "../../src/journal/postgres/approvals/schema.ts";
import { redactedBatches } from "../../src/journal/postgres/chain/redact-sql.ts";
import { journalLayout } from "../../src/journal/postgres/schema.ts";
import { inboxLayout } from "../../src/webhooks/inbox/postgres-schema.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { approval, orderOf, submittedCopy } from "./four-eyes-sql.ts";

/** A batch of one remittance, with the cells of the template's example except these. */
function remittance(cells: Readonly<Record<string, string>>): string {
  const row = { reference: "R-1", ...remittanceExamples, paymentDate: "2026-03-31T08:00:00+03:00", ...cells };
  const line = Object.values(row).map((cell) => `"${cell}"`);
  return openDesk().write(`${Object.keys(row).join(",")}\n${line.join(",")}\n`);
}

/** The shared journal as the version before sender amounts counted made it. */
const formerSql = [
  "CREATE SCHEMA partner; CREATE TABLE partner.layout (part text PRIMARY KEY, version integer NOT NULL);",
  ...["maker", "checker", "runner", "auditor"].map(
    (name) => `DO $$ BEGIN CREATE ROLE partner_${name} NOLOGIN; EXCEPTION WHEN duplicate_object THEN END $$;`,
  ),
  ...[
    { ...journalLayout, version: journalLayout.migrations.length },
    { ...inboxLayout, version: inboxLayout.migrations.length },
    { ...approvalsLayout, version: approvalsLayout.migrations.indexOf(redactedBatches) + 1 },
  ].flatMap(({ noun, migrations, version }) => [
    ...migrations.slice(0, version),
    `INSERT INTO partner.layout VALUES ('${noun}', ${version});`,
  ]),
].join("\n");

const small = { senderCurrency: "USD", senderAmount: "900000.00", exchangeRate: "2500", receiverAmount: "1000" };
const warning = "At that rate the sender's amount is 2,250,000,000.00 TZS; the receiver would get 1,000.00 TZS.";

test("batch check warns when a remittance's amounts do not fit its rate", async ({ partner }) => {
  const checked = await partner`batch check ${remittance(small)} --kind remit`;
  expect(checked).toMatchObject({ exit: 0 });
  expect(checked.stderr).toContain(`line 2 (R-1): ${warning}`);
  const doubled = { senderCurrency: "TZS", senderAmount: "5000", exchangeRate: "2", receiverAmount: "10000" };
  expect((await partner`batch check ${remittance(doubled)} --kind remit`).stderr).toContain(
    "line 2 (R-1): The sender pays in shillings as well, and the rate is 2: ",
  );
  expect((await partner`batch check ${remittance({})} --kind remit`).stderr).not.toContain("At that rate");
});

withPostgres("remittances in a batch for approval", (server) => {
  beforeAll(() => hire(server));

  test("show what the sender pays, and amounts that do not fit the rate", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const submitted = await office.at("amina")`batch submit ${remittance(small)} --kind remit --json`;
    expect(submitted.stderr).toContain(warning);
    const { batch } = JSON.parse(submitted.stdout);
    const terminal = { stdin: true, stderr: true };
    const seen = (await office.at("baraka", { terminal, answers: [false] })`batch approve ${batch}`).stderr;
    expect(seen).toContain('  1,000.00 TZS  "School fees"  (the sender pays 900,000.00 USD)\n');
    expect(seen).toContain(`Amounts that do not fit their rate (1):\n  line 2: ${warning}\n`);
    const { rows } = JSON.parse((await office.at("baraka")`batch show ${batch} --json`).stdout);
    expect(rows).toMatchObject([{ amount: 1000, currency: "TZS", senderAmount: 900000, senderCurrency: "USD" }]);
  });

  test("need the approvals for the sender's amount when the rules name its currency", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [...levels("TZS"), ...levels("USD")] });
    const [dollars = "", shillings = "", beyond = "", even = ""] = await submitEach(office, [
      small,
      { ...small, senderCurrency: "TZS" },
      { ...small, senderAmount: "90000000.00" },
      { ...small, senderAmount: "0.40" },
    ]);
    for (const batch of [dollars, shillings]) {
      expect(await missingAfter(office, batch)).toBe("1 more approval is missing");
      const early = await office.at("runner")`batch run --approved ${batch} --yes`;
      expect(early).toMatchObject({ exit: 2, stdout: "" });
      expect(await office.at("zuri")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    }
    const refused = await office.at("baraka")`batch approve ${beyond} --yes`;
    expect(refused).toMatchObject({ exit: 4, stdout: "" });
    expect(refused.stderr).toContain("No level of the rules is for a batch of 90000000.00 USD");
    expect(await missingAfter(office, even)).toBeNull();
    await office.at("runner")`batch run --approved --yes`;
    const sent = JSON.parse((await office.at("auditor")`journal list --kind remit --json`).stdout);
    expect(sent.map(({ reference }: { readonly reference: string }) => reference).toSorted()).toEqual([
      "R-0",
      "R-1",
      "R-3",
    ]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    const later = { now: Date.now() + 500 * 86_400_000 };
    expect(await office.at("baraka")`batch reject ${beyond} --reason large --yes`).toMatchObject({ exit: 0 });
    const redacted = await office.at("owner", later)`journal redact --older-than 400d --yes --json`;
    expect(JSON.parse(redacted.stdout)).toMatchObject({ batches: 1 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("count with the receiver's amount only when the rules do not name the sender's currency", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    await office.rule({
      levels: [{ upTo: "10000", approvals: 1 }, { approvals: 2 }],
      limits: { maker: { day: "10000" }, checker: { decision: "10000" } },
    });
    const [batch = ""] = await submitEach(office, [small]);
    expect(await missingAfter(office, batch)).toBeNull();
  });

  test("count with the sender's amount towards the limits of maker and checker", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.rule({ limits: { checker: { decision: "10000,USD=1000" } } });
    const [batch = ""] = await submitEach(office, [small]);
    const refused = await office.at("baraka")`batch approve ${batch} --yes`;
    expect(refused).toMatchObject({ exit: 4, stdout: "" });
    expect(refused.stderr).toContain("of what one checker approves, 900000.00 USD is more than 1000");
    await office.rule({ limits: { maker: { day: "10000,USD=1000" } } });
    const over = await office.at("amina")`batch submit ${remittance({ ...small, reference: "R-9" })} --kind remit`;
    expect(over).toMatchObject({ exit: 4, stdout: "" });
    expect(over.stderr).toContain("of what one maker submits on a day, 1800000.00 USD is more than 1000");
  });

  test("from a version without sender amounts: the runner still demands the approvals that they need", async ({
    simulator,
  }) => {
    const today = await openOffice(server, simulator);
    const [batch = ""] = await submitEach(today, [small]);
    const [row] = await today.root(
      "SELECT description, encode(content, 'hex') AS content, orders FROM partner.batches",
    );
    const { description, content, orders } = Object.fromEntries(Object.entries(row ?? {}));
    const submitted = `INSERT INTO partner.batches (description, content, orders, who) VALUES
      ('${description.replace(',"orders":3', ',"orders":2')}', '\\x${content}', '${orders.replace(',"900000.00","USD"', "")}', '{}')`;
    const office = await openOffice(server, simulator, "", `${formerSql}\n${submitted};`);
    await office.rule({
      levels: [{ upTo: "10000", currency: "USD", approvals: 1 }, { currency: "TZS", approvals: 1 }, { approvals: 2 }],
    });
    expect(await missingAfter(office, batch)).toBeNull();
    const early = await office.at("runner")`batch run --approved --yes`;
    expect(early).toMatchObject({ exit: 2 });
    expect(early.stderr).toContain("it has 1 of 2 approvals");
    expect(early.stderr).toContain("Where that says that it was approved before, reject it and submit it again.");
    expect((await office.at("zuri")`batch approve ${batch} --yes`).stderr).toContain("It was approved before.");
    expect(await office.at("zuri")`batch reject ${batch} --reason again --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("without a sender amount need the highest level, and with a changed one are not the order submitted", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ upTo: "10000", approvals: 1 }, { approvals: 3 }] });
    await submitEach(office, [small]);
    await office.sql("amina", submittedCopy("abcdabcdabcdabcd", "replace(orders, ',\"900000.00\",\"USD\"', '')"));
    await office.sql("amina", submittedCopy("dcbadcbadcbadcba", "replace(orders, '\"900000.00\"', '\"1.00\"')"));
    const request = { receiverAmount: 1000, senderAmount: 900_000 };
    for (const id of ["abcdabcdabcdabcd", "dcbadcbadcbadcba"]) {
      expect(await office.at("baraka")`batch approve ${id} --yes`).toMatchObject({ exit: 3, stdout: "" });
      await office.sql("baraka", approval(id));
    }
    await expect(office.root(orderOf("abcdabcdabcdabcd", "remit", "R-0", request))).rejects.toThrow(
      "it has 1 of 3 approvals",
    );
    await expect(office.root(orderOf("dcbadcbadcbadcba", "remit", "R-0", request))).rejects.toThrow(
      "not the row of its batch",
    );
  });
});

const levels = (currency: string) => [
  { upTo: "10000", currency, approvals: 1 },
  { upTo: "10000000", currency, approvals: 2 },
];

async function submitEach(
  office: Office,
  all: readonly Readonly<Record<string, string>>[],
): Promise<readonly string[]> {
  const batches: string[] = [];
  for (const [index, cells] of all.entries()) {
    const file = remittance({ ...cells, reference: `R-${index}`, receiverAccount: `25571200000${index}` });
    const { exit, stdout, stderr } = await office.at("amina")`batch submit ${file} --kind remit --json`;
    if (exit !== 0) throw new Error(stderr);
    batches.push(JSON.parse(stdout).batch);
  }
  return batches;
}

async function missingAfter(office: Office, batch = ""): Promise<string | null> {
  const { stdout, stderr, exit } = await office.at("baraka")`batch approve ${batch} --yes --json`;
  if (exit !== 0) throw new Error(stderr);
  return JSON.parse(stdout).missing;
}
