import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, onTestFinished } from "vitest";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { wayTo } from "../journal/broken-way.ts";
import { memoryHost } from "../memory-host.ts";
import { leave } from "../no-answer.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, movedEach, openDesk, payouts, timesMoved, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { program } from "../program.ts";

/** Transfers with different amounts, so that rows of two files are not like each other. */
const unlike = (count: number) => transfers(count, (index) => index + 5);

withPostgres("four eyes", (server) => {
  beforeAll(() => hire(server));

  test("let one person submit, another approve and a third send", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const file = openDesk().write(transfers(3));
    const submit = async () => {
      const { exit, stdout } = await office.at("amina")`batch submit ${file} ${payouts} --expect-count 3 --json`;
      expect(exit).toBe(0);
      return JSON.parse(stdout);
    };
    const first = await submit();
    expect(first).toMatchObject({ state: "submitted", submittedBy: "amina", rows: 3 });
    expect(await submit()).toEqual(first);
    const { batch } = first;
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 2, stdout: "" });
    const nothing = await office.at("runner")`batch run --approved --yes --csv`;
    expect(nothing).toMatchObject({ exit: 0 });
    expect(column(nothing.stdout, "batch")).toEqual([]);
    for (const person of ["runner", "amina", "auditor"] as const) {
      const refused = await office.at(person)`batch approve ${batch} --yes`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      // A maker who became a checker could not approve their own batch either.
      const way = person === "amina" ? "Have another person look at it" : `GRANT ${office.group("checker")} TO`;
      expect(refused.stderr).toContain(way);
    }
    const submitted = await office.at("runner")`batch submit ${openDesk().write(transfers(2))} ${payouts}`;
    expect(submitted).toMatchObject({ exit: 3, stdout: "" });
    expect(submitted.stderr).toContain(`GRANT ${office.group("maker")} TO`);
    const approved = await office.at("baraka")`batch approve ${batch} --yes --expect-count 3 --expect-total 15 --json`;
    expect(JSON.parse(approved.stdout)).toMatchObject({ state: "approved", decidedBy: "baraka" });
    const ran = await office.at("runner")`batch run --approved --yes --json`;
    expect(ran).toMatchObject({ exit: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject([{ batch, accepted: 3, submittedBy: "amina", decidedBy: "baraka" }]);
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
    const listed = await office.at("auditor")`batch list --csv`;
    expect(column(listed.stdout, "state")).toEqual(["done"]);
    // The report works without the file, and on another machine.
    const report = await office.at("amina")`batch report ${batch} --csv`;
    expect(column(report.stdout, "state")).toEqual(["accepted", "accepted", "accepted"]);
    expect(await office.at("runner")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("ask the database hardly more often for a batch of a thousand rows than for one of ten", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    const way = await wayTo(address);
    const amina = office.at("amina", { environment: { PARTNER_JOURNAL_URL: way.address } });
    const submitAndReport = async (count: number) => {
      const before = way.questions;
      const file = openDesk().write(transfers(count));
      const { batch, rows } = JSON.parse((await amina`batch submit ${file} ${payouts} --allow-repeats --json`).stdout);
      expect(rows).toBe(count);
      const { stdout } = await amina`batch report ${batch} --csv`;
      expect(column(stdout, "state")).toEqual(Array(count).fill("unsent"));
      return way.questions - before;
    };
    const few = await submitAndReport(10);
    expect((await submitAndReport(1000)) - few).toBeLessThan(100);
  });

  test("show a checker what will be approved, and approve nothing after a no or without --yes", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2, "reference,amount\nR-1,5\nR-2,7\n");
    const terminal = { stdin: true, stderr: true };
    const no = await office.at("baraka", { terminal, answers: [false] })`batch approve ${batch}`;
    expect(no).toMatchObject({ exit: 130, stdout: "" });
    expect(no.stderr).toContain(`Batch ${batch}: 2 rows, 12.00`);
    expect(no.stderr).toContain("submitted  by amina");
    expect(no.stderr).toContain("line 3: transfer  9000112233 → 9000112244  7.00 (currency not known)  ");
    expect(no.stderr).toContain("Never paid before (1):\n  line 2: transfer");
    expect(await office.at("baraka")`batch approve ${batch}`).toMatchObject({ exit: 2, stdout: "" });
    expect(await office.root("SELECT * FROM partner.approvals")).toEqual([]);
  });

  test.for([
    ["a no", false, "", ""],
    ["Ctrl-C", leave, ": the question was not answered", "No money moved.\n"],
  ] as const)(
    "report the outcome of the first batch after %s to the second",
    async ([, typed, why, money], { simulator }) => {
      const office = await openOffice(server, simulator);
      const [one, two] = [await office.submit("amina", 2, unlike(2)), await office.submit("amina", 3, unlike(3))];
      for (const batch of [one, two]) await office.at("baraka")`batch approve ${batch} --yes`;
      const terminal = { stdin: true, stderr: true };
      const sent = await office.at("runner", { terminal, answers: [true, typed] })`batch run --approved --csv`;
      expect(sent.exit).toBe(130);
      expect(column(sent.stdout, "batch")).toEqual([one]);
      expect(sent.stderr).toContain(`None of batch ${two} was sent${why}.\n`);
      expect(sent.stderr).not.toContain("No money moved");
      const left = await office.at("runner", { terminal, answers: [typed] })`batch run --approved`;
      expect(left).toMatchObject({ exit: 130, stdout: "" });
      expect(left.stderr).toContain(`None of batch ${two} was sent${why}.\n${money}`);
    },
  );

  test("do not send a rejected batch, and let a checker stop an approved batch while rows are left", async ({
    simulator,
    faults,
  }) => {
    const office = await openOffice(server, simulator);
    const [batch, stopped] = [await office.submit("amina", 2), await office.submit("amina", 3)];
    const rejected = await office.at("baraka")`batch reject ${batch} --reason "last month's" --yes --json`;
    expect(JSON.parse(rejected.stdout)).toMatchObject({ state: "rejected", reason: "last month's" });
    await office.at("baraka")`batch approve ${stopped} --yes`;
    faults.plan("reset-request=transfer:2");
    // The outcome after a reset is unknown; the checker stops the rest.
    const first = await office.at("runner")`batch run --approved --yes`;
    expect(first.exit).toBe(6);
    await office.at("baraka")`batch reject ${stopped} --reason stop --yes`;
    const list = await office.at("baraka")`batch list --csv`;
    expect(column(list.stdout, "state")).toEqual(["rejected", "rejected"]);
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved ${stopped} --yes`).toMatchObject({ exit: 2 });
  });

  test("retry rows that the service refused only when their batch is named", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2, "reference,amount\nR-1,5\nR-2,900000000\n");
    await office.at("baraka")`batch approve ${batch} --yes`;
    const requests = async () => office.root("SELECT number FROM partner.events WHERE step = 'send'");
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 8 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 8 });
    expect(await requests()).toHaveLength(2);
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 8 });
    expect(await requests()).toHaveLength(3);
  });

  test("apply the limits of the runner's profile to approved batches", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const environment = await office.environmentOf("runner");
    const { PARTNER_BASE_URL: url = "", PARTNER_ACCOUNT_ID: id = "" } = environment;
    await office.at(
      "runner",
    )`profile add office --environment simulator --base-url ${url} --account-id ${id} --secret-store file`;
    await office.at("runner")`profile set office limit.transfer=6`;
    const batch = await office.submit("amina", 2, "reference,amount\nR-1,5\nR-2,7\n");
    await office.at("baraka")`batch approve ${batch} --yes`;
    const ran = await office.at("runner", { environment: { PARTNER_PROFILE: "office" } })`batch run --approved --yes`;
    expect(ran.exit).toBe(8);
    expect(movedEach(simulator, 2)).toEqual([1, 0]);
  });

  test("send each row once when two runners work at the same time", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 12);
    await office.at("baraka")`batch approve ${batch} --yes`;
    const runs = await Promise.all([
      office.at("runner")`batch run --approved --yes --concurrency 3`,
      office.at("second")`batch run --approved --yes --concurrency 3`,
    ]);
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(movedEach(simulator, 12)).toEqual(Array.from({ length: 12 }, () => 1));
  });

  test("send nothing twice when a killed runner is started again", async ({ planned, faults }) => {
    // The runner is another process, and the statement has the dates of its clock.
    const world = { now: Date.now() };
    const simulator = await startSimulator(memoryHost(world), { faults: planned });
    onTestFinished(() => simulator.stop());
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 4);
    await office.at("baraka")`batch approve ${batch} --yes`;
    faults.plan("stall-answer=20,transfer:2");
    const child = spawn(process.execPath, [program, "batch", "run", "--approved", "--yes"], {
      env: { PATH: process.env["PATH"], ...(await office.environmentOf("runner")) },
      stdio: "ignore",
    });
    await expect.poll(() => movedEach(simulator, 4)).toEqual([1, 1, 0, 0]);
    child.kill("SIGKILL");
    await once(child, "exit");
    faults.clear();
    const again = await office.at("runner", world)`batch run --approved --yes --json`;
    expect(again.exit).toBe(6);
    expect(JSON.parse(again.stdout)).toMatchObject([{ accepted: 3, unknown: 1 }]);
    expect(movedEach(simulator, 4)).toEqual([1, 1, 1, 1]);
    expect(await office.at("runner", world)`journal resolve --all`).toMatchObject({ exit: 0 });
    expect(await office.at("runner", world)`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 4)).toEqual([1, 1, 1, 1]);
  });

  test("let a following runner send what is approved meanwhile, and stop it with exit 0", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const [one, two] = [await office.submit("amina", 2, unlike(2)), await office.submit("musa", 3, unlike(3))];
    await office.at("baraka")`batch approve ${one} --yes`;
    const stopping = memoryHost();
    let approving: Promise<unknown> | undefined;
    const meanwhile = async () => {
      approving ??= office.at("baraka")`batch approve ${two} --yes`;
      await approving;
      // A row that only the second batch has.
      if (timesMoved(simulator, "R-3") > 0) stopping.abort("SIGTERM");
    };
    const following = office.at("runner", { meanwhile, host: { signal: stopping.signal } });
    const followed = await following`batch run --approved --follow --yes --every 30s -o ndjson`;
    expect(followed).toMatchObject({ exit: 0 });
    const lines = followed.stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { batch: one, accepted: 2 },
      { batch: two, accepted: 3 },
    ]);
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
    expect(await office.at("runner")`batch run --approved --follow`).toMatchObject({ exit: 2 });
    for (const [flag, value] of Object.entries({ "--save": "rows.csv", "--sort": "state" }))
      expect(await office.at("runner")`batch run --approved --follow --yes ${flag} ${value}`).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(`Error: ${flag} is for a complete result`),
      });
    expect(await office.at("runner")`batch run --approved ${one} --follow --yes`).toMatchObject({ exit: 2 });
  });

  test("make a following runner try again after a look that failed, but not when its first look fails", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    const [blind, seeing] = ["REVOKE SELECT ON partner.batches FROM", "GRANT SELECT ON partner.batches TO"];
    const following = (...meanwhiles: readonly string[]) => {
      const [left, later] = [[...meanwhiles], memoryHost()];
      const meanwhile = async () => {
        const sql = left.shift();
        if (sql === undefined) later.abort("SIGTERM");
        else await office.root(`${sql} ${office.group("runner")}`);
      };
      return office.at("runner", { meanwhile, host: { signal: later.signal } })`batch run --approved --follow --yes`;
    };
    expect(await following(blind, seeing)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining("Looking again later."),
    });
    await office.root(`${blind} ${office.group("runner")}`);
    expect(await following()).toMatchObject({ exit: 3 });
  });

  test("explain how roles are made when the database user may not make them", async ({ simulator, partnerIn }) => {
    const office = await openOffice(server, simulator);
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("amina");
    const refused = await partnerIn({ environment: { PARTNER_JOURNAL_URL: address } })`journal migrate --roles`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("partner journal migrate --roles --dry-run");
  });

  test("report a batch that the server cannot store in time as that, and not as a usage error", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator);
    // As when the server's statement limit ends it after five minutes.
    await office.root(`CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled'; END $$;
      CREATE TRIGGER gives_up AFTER INSERT ON partner.batches EXECUTE FUNCTION give_up()`);
    const file = openDesk().write(transfers(2));
    const { exit, stdout, stderr } = await office.at("amina")`batch submit ${file} ${payouts}`;
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
    expect(stderr).toContain("did not store the batch within 5m; nothing was submitted");
    expect(stderr).toContain("Split the file");
    expect(await office.root("SELECT FROM partner.batches")).toEqual([]);
  });

  test("need roles for submitting, and the error says how to make them", async ({ partnerIn }) => {
    const address = await server.newDatabase();
    const partner = partnerIn({ environment: { PARTNER_JOURNAL_URL: address } });
    await partner`journal migrate`;
    const listed = await partner`batch list`;
    expect(listed).toMatchObject({ exit: 3 });
    expect(listed.stderr).toContain("partner journal migrate --roles");
    expect(await partner`journal migrate --require-approval`).toMatchObject({ exit: 2 });
    const { stdout: sql } = await partner`journal migrate --roles --require-approval --dry-run`;
    expect(await partner`batch list`).toMatchObject({ exit: 3 });
    await server.sql(address, sql);
    expect(await partner`batch list`).toMatchObject({ exit: 0 });
    expect(await partnerIn({})`batch list`).toMatchObject({ exit: 2 });
  });
});
