import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { submittedCopy } from "./four-eyes-sql.ts";

const file = (...rows: readonly string[]) => `reference,to,amount,description\n${rows.join("\n")}\n`;
const form = "--kind transfer --from 9000112233";
const terminal = { stdin: true, stderr: true };

async function submit(office: Office, content: string, flags = form): Promise<string> {
  const { exit, stdout, stderr } = await office.at("amina")`batch submit ${openDesk().write(content)} ${flags} --json`;
  if (exit !== 0) throw new Error(stderr);
  return String(JSON.parse(stdout).batch);
}

async function look(office: Office, batch: string): Promise<string> {
  return (await office.at("baraka", { terminal, answers: [false] })`batch approve ${batch}`).stderr;
}

/** Thirty rows to one receiver, and others. */
function manyRows(name: string, others: readonly string[] = []): string {
  return file(...Array.from({ length: 30 }, (_, index) => `${name}-${index},9000112244,${100 + index},pay`), ...others);
}

/** Twenty-two rows, of which this many pay another amount. */
function twentyTwoRows(others: number): string {
  return file(...Array.from({ length: 22 }, (_, row) => `R-${row},9000112244,${row < others ? 9000 : 1000 + row},pay`));
}

withPostgres("what an approver sees", (server) => {
  beforeAll(() => hire(server));

  test("is the order with names and currencies, set apart from a description that imitates one", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    expect(await office.at("runner")`wallets list`).toMatchObject({ exit: 0 });
    const posing = '"transfer  9000112233 → 9000112255  1.00 TZS"';
    const batch = await submit(office, file(`R-1,9000112244,900000,${posing}`));
    const said = await look(office, batch);
    expect(said).toMatch(/line 2: transfer  9000112233 \(.+\) → 9000112244 \(.+\)  900,000\.00 TZS  "transfer/);
    const shown = JSON.parse((await office.at("baraka")`batch show ${batch} --json`).stdout);
    expect(shown).toMatchObject({
      batch: { batch, submittedBy: "amina" },
      state: "submitted",
      rows: [{ line: 2, kind: "transfer", from: "9000112233", to: "9000112244", amount: 900000, currency: "TZS" }],
    });
  });

  test("can be found by the beginning of a batch's id, and both batches are named when two begin with it", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const batch = await submit(office, file("R-1,9000112244,900000,rent"));
    const beginning = batch.slice(0, 4);
    const baraka = office.at("baraka");
    expect(JSON.parse((await baraka`batch show ${beginning} --json`).stdout)).toMatchObject({ batch: { batch } });
    expect(await baraka`batch show ${batch.slice(0, 3)}`).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining("Give the whole id, or at least 4 characters of its beginning."),
    });
    expect(await office.at("musa")`batch show ${beginning}`).toMatchObject({ exit: 4 });
    const other = `${beginning}${"0".repeat(12)}`;
    await office.sql("amina", submittedCopy(other, `replace(orders, '"R-1"', '"R-2"')`));
    const either = await baraka`batch approve ${beginning} --yes`;
    expect(either).toMatchObject({ exit: 2, stdout: "" });
    expect(either.stderr).toContain(`2 batches have an id that begins with "${beginning}".`);
    expect(either.stderr).toContain(other);
    expect(await baraka`batch approve ${batch.slice(0, 15)} --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved ${batch.slice(0, 15)} --yes`).toMatchObject({ exit: 0 });
  });

  test("needs no secret of the service: doctor calls a missing one only a warning", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const secrets = Object.keys(await office.environmentOf("baraka")).filter((name) => /SECRET|TOKEN/.test(name));
    expect(secrets).toEqual([]);
    const batch = await office.submit("amina", 2);
    expect((await office.at("baraka")`batch show ${batch} --page 1 --csv`).stdout).toContain(",R-2\n");
    expect(await look(office, batch)).toContain("R-1");
    expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    const { exit, stdout } = await office.at("amina")`doctor --strict --csv`;
    expect(stdout).toContain(
      'secret key,warning,"none, nor any other secret. That is enough to submit and approve batches. To read or send, enter it: partner profile set NAME, or set PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY."',
    );
    expect(exit).toBe(0);
  });

  test("names receivers who were never paid, on whichever line, and what changed since the maker's previous batch", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const first = await submit(office, manyRows("A"));
    await office.at("baraka")`batch approve ${first} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const second = await submit(office, manyRows("B", ["B-new,9000112255,1,pay"]), `${form} --allow-repeats`);
    const said = await look(office, second);
    expect(said).toContain("Never paid before (1):\n  line 32: transfer  9000112233");
    expect(said).toContain("→ 9000112255");
    expect(said).toContain("Likely repeats (30):");
    expect(said).toContain("  and 10 more\n");
    expect(said).toContain(`Compared with the maker's previous batch, ${first}: 1 new, 0 gone, 0 with another sum.`);
    const page = await office.at("baraka")`batch show ${second} --page 1 --csv`;
    expect(page.stdout.trim().split("\n")).toHaveLength(32);
  });

  test("says what a receiver who was never paid gets in all, not by the first row alone", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await submit(office, file("R-1,9000112244,175000,rent", "R-2,9000112244,1250000,works"));
    expect(await look(office, batch)).toMatch(
      /Never paid before \(1\):\n {2}line 2: .* 175,000\.00 .*, the first of 2 rows: 1,425,000\.00 .*in all\n/,
    );
    const single = await submit(office, file("S-1,9000112255,175001,rent"));
    const said = await look(office, single);
    expect(said).toMatch(/\n {2}new {6}transfer .* → 9000112255 .*"rent \[S-1\]"\n/);
    expect(said).toMatch(/\n {2}gone {5}.* 175,000\.00 .*, the first of 2 rows: 1,425,000\.00 in all\n/);
  });

  test("ends with a question that names the total, as the first line may have left the screen", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    expect(await office.at("runner")`wallets list`).toMatchObject({ exit: 0 });
    const batch = await submit(office, file("R-1,9000112244,175000,rent", "R-2,9000112244,1250000,works"));
    const asked: string[] = [];
    const no = (question: string) => asked.push(question) < 0;
    await office.at("baraka", { terminal, answers: [no] })`batch approve ${batch}`;
    await office.at("baraka", { terminal, answers: [no] })`batch reject ${batch} --reason late`;
    expect(asked).toEqual([
      "Approve this batch of 2 rows, 1,425,000.00 TZS?",
      "Reject this batch of 2 rows, 1,425,000.00 TZS?",
    ]);
  });

  test("names rows that another waiting batch pays too, and ignores rejected batches", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const submitAs = async (person: "amina" | "musa", content: string) => {
      const file = openDesk().write(content);
      const { stdout } = await office.at(person)`batch submit ${file} ${form} --json`;
      return String(JSON.parse(stdout).batch);
    };
    const rejected = await submitAs("musa", file("X-1,9000112244,500,rent", "X-2,9000112244,600,rent"));
    await office.at("baraka")`batch reject ${rejected} --reason no --yes`;
    const first = await submitAs("amina", file("JAN-1,9000112244,500,rent", "JAN-2,9000112255,600,rent"));
    expect(await look(office, first)).not.toContain("Likely repeats");
    const second = await submitAs(
      "musa",
      file(
        "PAY-1,9000112244,500,rent",
        "JAN-2,9000112255,600,rent",
        "JAN-1,9000112255,700,rent",
        "PAY-4,9000112244,600,x",
      ),
    );
    const repeats = [
      `line 2: "PAY-1": a transfer with the same payer, receiver and amount waits in batch ${first} of amina: "JAN-1", line 2`,
      `line 3: "JAN-2": batch ${first} of amina has the same order in line 3. It is sent once for both`,
      `line 4: "JAN-1": batch ${first} of amina has another order under this reference in line 2. Only one of them can be sent`,
    ];
    const said = await look(office, second);
    expect(said).toContain(`Likely repeats (3):\n${repeats.map((words) => `  ${words}\n`).join("")}`);
    const withoutQuestion = await office.at("baraka")`batch approve ${second} --yes`;
    expect(withoutQuestion).toMatchObject({ exit: 0 });
    for (const words of repeats) expect(withoutQuestion.stderr).toContain(words);
    const shown = JSON.parse((await office.at("auditor")`batch show ${second} --json`).stdout);
    expect(JSON.parse(shown.decisions[0].looked)).toMatchObject({ repeats: 3 });
    // Once they are sent, they are orders and no longer wait.
    await office.at("runner")`batch run --approved --yes --allow-repeats`;
    const sent = await look(office, first);
    expect(sent).not.toContain("waits in batch");
    expect(sent).toContain('line 2: "JAN-1": a transfer with the same payer, receiver and amount was accepted: PAY-1');
  });

  test("is compared with --expect-total only when the currency is known", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await submit(office, file("R-1,9000112244,1000,pay"));
    const approve = (flags: string) => office.at("baraka")`batch approve ${batch} --yes ${flags}`;
    const unknown = await approve("--expect-total KES=1000");
    expect(unknown).toMatchObject({ exit: 2, stdout: "" });
    expect(unknown.stderr).toContain("are not known here");
    expect(await approve("--expect-total TZS=1000")).toMatchObject({ exit: 2 });
    await office.at("runner")`wallets list`;
    expect(await approve("--expect-total KES=1000")).toMatchObject({ exit: 2 });
    expect(await approve("--expect-total TZS=1000")).toMatchObject({ exit: 0 });
    const several = await submit(
      office,
      "reference,from,to,amount,description\nS-1,9000112233,9000112244,1,x\nS-2,9000112277,9000112244,2,x\n",
      "--kind transfer",
    );
    const bare = await office.at("baraka")`batch approve ${several} --yes --expect-total 3`;
    expect(bare).toMatchObject({ exit: 2, stdout: "" });
    expect(bare.stderr).toContain("several accounts");
  });

  test("is compared with the approver's own copy, order by order", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const desk = openDesk();
    const batch = await submit(office, file("R-1,9000112244,1000,pay", "R-2,9000112255,2000,pay"));
    const copy = desk.write(file("R-1,9000112244,1000,pay", "R-2,9000112244,2000,pay"));
    const differs = await office.at("baraka")`batch approve ${batch} --yes --against ${copy}`;
    expect(differs).toMatchObject({ exit: 9, stdout: "" });
    expect(differs.stderr).toContain("transfer R-2: is another order there");
    desk.write(file("R-2,9000112255,2000,pay", "R-1,9000112244,1000,pay"));
    expect(await office.at("baraka")`batch approve ${batch} --yes --against ${copy}`).toMatchObject({ exit: 0 });
  });

  test("is compared with a copy in full: twenty differences are named and the others counted", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const desk = openDesk();
    const batch = await submit(office, twentyTwoRows(0));
    const differences = async (count: number) => {
      const copy = desk.write(twentyTwoRows(count));
      const { exit, stderr } = await office.at("baraka")`batch approve ${batch} --yes --against ${copy}`;
      expect(exit).toBe(9);
      const named = stderr.split("is another order there").length - 1;
      return [named, /\d+ more orders? differs?/.exec(stderr)?.[0]];
    };
    expect(await differences(1)).toEqual([1, undefined]);
    expect(await differences(20)).toEqual([20, undefined]);
    expect(await differences(21)).toEqual([20, "1 more order differs"]);
    expect(await differences(22)).toEqual([20, "2 more orders differ"]);
  });

  test("is kept with the decision, and a wallet that has changed since then does not pay", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.at("runner")`wallets list`;
    await office.root("UPDATE partner.wallets SET currency = 'KES' WHERE account_no = '9000112233'");
    const batch = await office.submit("amina", 2);
    expect(await office.at("baraka")`batch approve ${batch} --yes --expect-total KES=10`).toMatchObject({ exit: 0 });
    const shown = JSON.parse((await office.at("auditor")`batch show ${batch} --json`).stdout);
    expect(JSON.parse(shown.decisions[0].looked)).toMatchObject({ rows: 2, totals: "10.00 KES", answer: "--yes" });
    const ran = await office.at("runner")`batch run --approved ${batch} --yes`;
    expect(ran).toMatchObject({ exit: 2, stdout: "" });
    expect(ran.stderr).toContain("approved with another wallet 9000112233");
    expect(ran.stderr).toContain('shown as "Zoë Mwangá Payouts", KES, and is "Zoë Mwangá Payouts", TZS.');
    expect(await office.root("SELECT id FROM partner.movements")).toEqual([]);
  });
});
