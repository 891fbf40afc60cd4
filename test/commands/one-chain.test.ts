import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, movedEach, openDesk, timesMoved, transfers } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");
const script = /```python\n([^`]*hashlib[^`]*)```/.exec(page)?.[1] ?? "";
const needsPython = spawnSync("python3", ["--version"]).status === 0 ? "" : " (skipped: needs python3)";

/** One person submits two transfers, another approves, and they are sent. */
async function sent(office: Office): Promise<string> {
  const batch = await office.submit("amina", 2);
  await office.at("baraka")`batch approve ${batch} --yes`;
  const { exit } = await office.at("runner")`batch run --approved --yes`;
  expect(exit).toBe(0);
  return batch;
}

/** What the owner of the database can do with every trigger disabled. */
const unbound = (sql: string) => `SET session_replication_role = replica; ALTER TABLE partner.facts DISABLE TRIGGER ALL;
  ALTER TABLE partner.approvals DISABLE TRIGGER ALL; ALTER TABLE partner.batches DISABLE TRIGGER ALL;
  ALTER TABLE partner.events DISABLE TRIGGER ALL; ALTER TABLE partner.batch_rows DISABLE TRIGGER ALL;
  ALTER TABLE partner.movements DISABLE TRIGGER ALL; ALTER TABLE partner.withdrawals DISABLE TRIGGER ALL; ${sql}`;

const attacks: readonly (readonly [name: string, sql: string, says: string])[] = [
  ["a decision is removed", "DELETE FROM partner.approvals", "missing or changed in its approvals"],
  ["another name is put under a decision", "UPDATE partner.approvals SET decided_by = 'zuri'", "approvals"],
  ["a decision is removed from history", "DELETE FROM partner.facts WHERE step = 'approve'", "is missing"],
  [
    "a decision is removed from history without a gap",
    "DELETE FROM partner.facts WHERE step IN ('finish', 'begin', 'approve'); DELETE FROM partner.finished; DELETE FROM partner.starts",
    "history lacks a row of its approvals",
  ],
  [
    "history says another name",
    "UPDATE partner.facts SET said_by = 'zuri' WHERE step = 'approve'",
    "not as it was written",
  ],
  ["the file is exchanged", "UPDATE partner.batches SET content = 'reference,amount'", "is not what was submitted"],
  ["a row is exchanged", "UPDATE partner.batch_rows SET reference = 'R-9' WHERE line = 2", "is not what was submitted"],
  [
    "a decision is removed and forgotten",
    "DELETE FROM partner.approvals; DELETE FROM partner.facts WHERE number > 2; DELETE FROM partner.finished; DELETE FROM partner.starts",
    "no other person had approved it before",
  ],
  ["it is said to have begun earlier", "UPDATE partner.starts SET started_at = 1", "history lacks a row of its starts"],
  ["that it began is forgotten", "DELETE FROM partner.starts", "missing or changed in its starts"],
  [
    "other rules are said to have held when it was submitted",
    "UPDATE partner.batch_facts SET rules = rules + 1",
    "history lacks a row of its batch_facts",
  ],
  ["its total is lowered", "UPDATE partner.batch_sums SET total = 1", "is not what was submitted"],
  ["an amount is lowered", "UPDATE partner.batch_rows SET amount = 1 WHERE line = 2", "is not what was submitted"],
  [
    "a decision is put behind the orders",
    `UPDATE partner.facts SET after_event = 4, seal = encode(sha256(convert_to(concat_ws(E'\\n', number, 4, step, at, said_by, batch, body), 'UTF8')), 'hex')
      WHERE step IN ('approve', 'begin')`,
    "no other person had approved it before",
  ],
];

withPostgres("one chain of events and decisions", (server) => {
  beforeAll(() => hire(server));

  test("holds submission, decision, orders, outcomes and the end in the order in which they happened", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    const early = await office.at("auditor")`journal export --events --csv --columns step,hash`;
    expect(column(early.stdout, "step")).toEqual(["policy", "submit", "weigh"]);
    const [, head = ""] = column(early.stdout, "hash");
    await office.at("baraka")`batch approve ${batch} --yes`;
    await office.at("runner")`batch run --approved --yes`;
    const file = join(openDesk().folder, "history.ndjson");
    await office.at("auditor")`journal export --events --save ${file}`;
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const order = ["claim", "send", "settle"];
    expect(lines.map(({ step }) => step)).toEqual([
      "policy",
      "submit",
      "weigh",
      "approve",
      "claim",
      "begin",
      "send",
      "settle",
      ...order,
      "finish",
    ]);
    expect(lines[1]).toMatchObject({ number: 2, id: batch, kind: "batch", user: "amina", to: "submitted" });
    expect(lines[3]).toMatchObject({ number: 4, id: batch, user: "baraka", to: "approved", host: "baraka-machine" });
    expect(JSON.parse(lines[3].request)).toMatchObject({ batch, decision: "approved", decided_by: "baraka" });
    expect(await office.at("auditor")`journal verify --export ${file}`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify --head ${head}`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("holds an order sent without a batch and a later batch with consecutive numbers", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const { stdout } = await office.at(
      "runner",
    )`transfer --from 9000112233 --to 9000112244 --amount 7 --description d --reference S-1 --yes --json`;
    expect(JSON.parse(stdout)).toMatchObject({ state: "accepted" });
    await sent(office);
    const exported = await office.at("auditor")`journal export --events --csv`;
    expect(column(exported.stdout, "number")).toEqual(Array.from({ length: 14 }, (_, index) => String(index + 1)));
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  describe("is compared with the tables by journal verify", () => {
    for (const [name, sql, says] of attacks)
      test(`when ${name}`, async ({ simulator }) => {
        const office = await openOffice(server, simulator);
        await sent(office);
        expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
        await office.root(unbound(sql));
        const verified = await office.at("auditor")`journal verify`;
        expect(verified).toMatchObject({ exit: 9, stdout: "" });
        expect(verified.stderr).toContain(says);
      });
  });

  test("proves one order from a noted head on, and the documented script verifies the proof", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.at(
      "runner",
    )`transfer --from 9000112233 --to 9000112244 --amount 7 --description d --reference S-1 --yes`;
    const noted = await office.at("auditor")`journal export --events --csv --columns hash`;
    const head = noted.stdout.trim().split("\n").at(-1) ?? "";
    const batch = await sent(office);
    const desk = openDesk();
    const path = join(desk.folder, "proof.json");
    expect(await office.at("auditor")`journal prove R-1 --from ${head} --save ${path}`).toMatchObject({ exit: 0 });
    const proof = JSON.parse(desk.read("proof.json"));
    expect(proof).toMatchObject({ reference: "R-1", state: "accepted", batch, from: head, lines: 11 });
    expect(proof.chain.map(({ step }: { step: string }) => step).slice(0, 4)).toEqual([
      "submit",
      "weigh",
      "approve",
      "claim",
    ]);
    expect(proof.request).toContain("R-1");
    expect(await office.at("auditor")`journal prove S-1 --from ${head} --json`).toMatchObject({ exit: 9, stdout: "" });
    expect(await office.at("auditor")`journal prove R-1 --from ${"a".repeat(64)} --json`).toMatchObject({ exit: 9 });
    const [, lines = ""] = /```python\n([^`]*proof\[[^`]*)```/.exec(page) ?? [];
    const check = (file: string) => spawnSync("python3", ["-c", lines, file]).status;
    if (needsPython !== "") return;
    expect(check(path)).toBe(0);
    for (const [one, other] of [
      ['"baraka"', '"zuri"'],
      ['"kind": "batch"', '"kind": "batch", "by": "zuri"'],
      ['"state": "accepted"', '"state": "refused"'],
      ['"reference": "R-1"', '"reference": "R-2"'],
      ["{", '{"state": "refused", '],
      ['"request": {', '"request": {"amount": 9, '],
    ] as const)
      expect(check(desk.write(desk.read("proof.json").replace(one, other), "forged.json"))).not.toBe(0);
  });

  test("requires a decision for an order inserted with the triggers disabled", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.submit("amina", 2);
    await office.root(`ALTER TABLE partner.movements DISABLE TRIGGER ALL;
      CREATE OR REPLACE FUNCTION partner.last_decision(id text) RETURNS text LANGUAGE sql AS 'SELECT ''approved''';
      ALTER TABLE partner.approvals DISABLE TRIGGER ALL;
      INSERT INTO partner.approvals (number, batch, digest, decision, who, decided_by, decided_at, seal)
        SELECT 1, id, digest, 'approved', '{}', 'baraka', 1,
          encode(sha256(convert_to(concat_ws(E'\\n', 1, id, digest, 'approved', 'baraka', 1, ''), 'UTF8')), 'hex') FROM partner.batches`);
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("approvals");
  });

  test("requires the approvals that applied at the time, not earlier or later rules", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await sent(office);
    await office.rule({ levels: [{ approvals: 2 }] });
    const batch = await office.submit("amina", 2, "reference,amount\nR-8,70\nR-9,80\n");
    for (const person of ["baraka", "neema"] as const) await office.at(person)`batch approve ${batch} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    const { stdout } = await office.at("auditor")`journal export --events --csv --columns step,user`;
    expect(stdout.split("\n").filter((line) => line.startsWith("rules"))).toEqual(["rules,owner", "rules,baraka"]);
    await office.rule({ levels: [{ approvals: 1 }] });
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    await office.root(
      unbound(`DELETE FROM partner.approvals WHERE decided_by = 'neema' AND batch = '${batch}';
      UPDATE partner.facts SET step = 'policy', batch = NULL, seal = encode(sha256(convert_to(concat_ws(E'\\n', number, after_event,
        'policy', at, said_by, '', body), 'UTF8')), 'hex') WHERE step = 'approve' AND said_by = 'neema'`),
    );
    const verified = await office.at("auditor")`journal verify`;
    expect(verified).toMatchObject({ exit: 9, stdout: "" });
    expect(verified.stderr).toContain("it had 1 of 2 approvals before");
  });

  test("is not blocked by a submission whose transaction stays open", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    const amina = new Client({ connectionString: address });
    onTestFinished(() => amina.end());
    await amina.connect();
    const batch = `'{"id":"00000000000000aa","scope":"s"}', '', '[[1,"transfer","Q-1","${"0".repeat(64)}"]]', '{}'`;
    await amina.query(`BEGIN; INSERT INTO partner.batches (description, content, orders, who) VALUES (${batch})`);
    await amina.query("SET CONSTRAINTS ALL IMMEDIATE");
    const { exit } = await office.at(
      "runner",
    )`transfer --from 9000112233 --to 9000112244 --amount 7 --description d --reference S-1 --yes`;
    expect(exit).toBe(0);
    expect(timesMoved(simulator, "S-1")).toBe(1);
    await amina.query("COMMIT");
    const file = openDesk().write(transfers(2));
    await office.at(
      "musa",
    )`batch submit ${file} --kind transfer --from 9000112233 --set to=9000112244 --description rent`;
    const exported = await office.at("auditor")`journal export --events --csv`;
    expect(column(exported.stdout, "step")).toEqual(["claim", "send", "settle", "submit", "weigh", "submit", "weigh"]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  describe.skipIf(needsPython !== "")(`is recomputed by the ten-line script in the documentation${needsPython}`, () => {
    test("from the exported file alone; fields outside the hash are refused", async ({ simulator }) => {
      const office = await openOffice(server, simulator);
      await sent(office);
      const desk = openDesk();
      const path = join(desk.folder, "history.ndjson");
      const { stderr } = await office.at("auditor")`journal export --events --save ${path}`;
      const head = /head ([0-9a-f]{64})/.exec(stderr)?.[1];
      const check = (file: string) => spawnSync("python3", ["-c", script, file], { encoding: "utf8" });
      expect(script.trim().split("\n").length).toBeLessThanOrEqual(10);
      expect(check(path)).toMatchObject({ status: 0, stdout: `${head}\n` });
      const text = desk.read("history.ndjson");
      for (const forged of [
        text.replace('"baraka"', '"zuri"'),
        text.replace('{"id"', '{"approvedBy":"zuri","id"'),
        // A parser that takes the first of two equal keys would read a value outside the hash.
        text.replace('{"id"', '{"user":"zuri","id"'),
        text.replace('{"id"', String.raw`{"\u0075ser":"zuri","id"`),
        text.replace(/^.*"step":"approve".*\n/m, ""),
      ]) {
        const file = desk.write(forged, "forged.ndjson");
        expect(forged).not.toBe(text);
        expect(check(file).status).not.toBe(0);
        expect(await office.at("auditor")`journal verify --export ${file}`).toMatchObject({ exit: 9, stdout: "" });
      }
      const csv = join(desk.folder, "history.csv");
      await office.at("auditor")`journal export --events --save ${csv}`;
      expect(await office.at("auditor")`journal verify --export ${csv}`).toMatchObject({ exit: 0 });
      const wider = desk.write(
        desk
          .read("history.csv")
          .replaceAll(/$/gm, ",zuri")
          .replace(/,zuri$/, ""),
        "wider.csv",
      );
      expect(await office.at("auditor")`journal verify --export ${wider}`).toMatchObject({ stdout: "" });
    });
  });
});
