import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk, payouts, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

const terminal = { stdin: true, stderr: true };

const fifty = `INSERT INTO partner.batches (description, content, orders, who)
  SELECT json_build_object('id', lpad(to_hex(n), 16, '0'), 'scope', 's')::text, '',
    '[[1,"transfer","R-' || n || '","' || repeat('0', 64) || '"]]', '{}' FROM generate_series(1, 50) n`;

withPostgres("a batch that is over", (server) => {
  beforeAll(() => hire(server));

  test("because it was rejected can't be approved; submitted again, it shows who rejected it and why", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const first = await office.submit("amina", 2);
    await office.at("baraka")`batch reject ${first} --reason "line 2 is fraud" --yes`;
    const twice = await office.at("zuri")`batch reject ${first} --reason "no invoice" --yes --json`;
    expect(JSON.parse(twice.stdout)).toMatchObject({ decidedBy: "baraka", reason: "line 2 is fraud" });
    expect(twice).toMatchObject({ exit: 0, stderr: "It was rejected before, by baraka.\n" });
    const taken = await office.at("amina")`batch withdraw ${first}`;
    expect(taken).toMatchObject({ exit: 4, stderr: expect.stringContaining("Hint: See what there is:") });
    const overruled = await office.at("zuri")`batch approve ${first} --yes`;
    expect(overruled).toMatchObject({ exit: 4, stdout: "" });
    expect(overruled.stderr).toContain("a rejection is final");
    // A question without an answer would fail the test.
    const unasked = await office.at("zuri", { terminal, answers: [] })`batch approve ${first} --no-color`;
    expect(unasked).toMatchObject({ exit: 4, stdout: "", stderr: overruled.stderr });
    const again = await office.at("zuri", {
      terminal,
      answers: [],
    })`batch reject ${first} --reason "no invoice" --no-color`;
    expect(again).toMatchObject({ exit: 0, stderr: "It was rejected before, by baraka.\n" });
    const sql =
      "INSERT INTO partner.approvals (batch, digest, decision, who) SELECT id, digest, 'approved', '' FROM partner.batches";
    await expect(office.sql("zuri", sql)).rejects.toThrow(first);
    const second = await office.submit("amina", 2);
    expect(second).not.toBe(first);
    expect(await office.submit("amina", 2)).toBe(second);
    const look = await office.at("zuri", { terminal, answers: [false] })`batch approve ${second}`;
    expect(look.stderr).toContain(`Rejected before, as batch ${first}: by baraka`);
    expect(look.stderr).toContain('"line 2 is fraud"');
    expect(await office.at("zuri")`batch approve ${second} --yes`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect(await office.at("runner")`batch report ${second}`).toMatchObject({ exit: 0 });
    const late = await office.at("baraka")`batch reject ${second} --reason late --yes`;
    expect(late).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^state +done$/m),
      stderr: `Nothing was left to stop: the batch was done before. What became of its rows: partner batch status ${second}\n`,
    });
  });

  test("because it was rejected can be submitted again by another maker, and approvers see the rejection", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const waiting = await office.submit("amina", 2);
    const early = await office.at("musa")`batch submit ${openDesk().write(transfers(2))} ${payouts}`;
    expect(early).toMatchObject({ exit: 2, stdout: "" });
    expect(early.stderr).toContain(`Another person has submitted batch ${waiting} already`);
    await office.at("baraka")`batch reject ${waiting} --reason "no invoice" --yes`;
    const second = await office.submit("musa", 2);
    expect((await office.at("musa")`batch withdraw ${second}`).exit).toBe(0);
    const third = await office.submit("amina", 2);
    expect(new Set([waiting, second, third]).size).toBe(3);
    const look = await office.at("zuri", { terminal, answers: [true] })`batch approve ${third}`;
    expect(look.stderr).toContain('"no invoice"');
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const late = await office.at("musa")`batch submit ${openDesk().write(transfers(2))} ${payouts}`;
    expect(late).toMatchObject({ exit: 2, stdout: "" });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("because it was withdrawn can't be approved; only its maker withdraws it, and only before approval", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    expect(await office.at("musa")`batch withdraw ${batch}`).toMatchObject({ exit: 4, stdout: "" });
    expect(await office.at("zuri")`batch withdraw ${batch}`).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining(`A checker rejects it: partner batch reject ${batch} --reason TEXT`),
    });
    expect(await office.at("baraka")`batch withdraw ${batch}`).toMatchObject({ exit: 3, stdout: "" });
    const waiting = "batch list --state submitted --fail-if-any";
    expect(await office.at("baraka")`${waiting} --quiet`).toMatchObject({
      exit: 7,
      stdout: expect.stringContaining(batch),
      stderr: expect.stringContaining(`Error: 1 batch is listed: ${batch} (submitted, from amina).\n`),
    });
    const withdrawn = await office.at("amina")`batch withdraw ${batch} --json`;
    expect(JSON.parse(withdrawn.stdout)).toMatchObject({ batch, state: "withdrawn" });
    expect(await office.at("amina")`batch withdraw ${batch}`).toMatchObject({ exit: 0 });
    expect(await office.at("baraka")`${waiting}`).toMatchObject({ exit: 0 });
    expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 4, stdout: "" });
    for (const decision of ["approve", "reject --reason late"]) {
      const unasked = await office.at("baraka", { terminal, answers: [] })`batch ${decision} ${batch} --no-color`;
      expect(unasked).toMatchObject({ exit: 4, stderr: expect.stringMatching(/^Error: Batch .* was withdrawn/) });
    }
    const again = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${again} --yes`;
    const late = await office.at("amina")`batch withdraw ${again}`;
    expect(late).toMatchObject({ exit: 4, stdout: "" });
    expect(late.stderr).toContain("The batch is approved already");
    const sql = `INSERT INTO partner.withdrawals (batch, who) VALUES ('${again}', '')`;
    for (const person of ["musa", "baraka", "runner"] as const)
      await expect(office.sql(person, sql)).rejects.toThrow(/permission denied|row-level security|^[0-9a-f]{16}$/);
    await expect(office.sql("amina", "DELETE FROM partner.withdrawals")).rejects.toThrow("permission denied");
  });

  test("is listed on a terminal with its whole reason, and a waiting one with what is missing", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const reason = "line 2 is a payment that the director stopped on Monday";
    await office.at("baraka")`batch reject ${await office.submit("amina", 2)} --reason ${`"${reason}"`} --yes`;
    await office.submit("amina", 3);
    const { stdout } = await office.at("baraka", { terminal: { stdout: true }, columns: 80 })`batch list`;
    const words = stdout.replaceAll(/\s+/g, " ");
    for (const whole of [reason, " 1 approval "]) expect(words).toContain(whole);
    expect(stdout).not.toContain("…");
  });

  test("because a runner sent all of its own file is done, in the list and for who waits", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    const file = openDesk().write(transfers(2));
    expect(await office.at("runner")`batch run ${file} ${payouts} --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect((await office.at("baraka")`batch list --json`).stdout).toContain('"state": "done"');
    expect(await office.at("amina")`batch wait ${batch} --for 1s`).toMatchObject({ exit: 0 });
  });

  test("no longer counts towards a maker's limit of fifty open batches", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.sql("amina", fifty);
    const refused = await office.at("amina")`batch submit ${openDesk().write(transfers(2))} ${payouts}`;
    expect(refused).toMatchObject({ exit: 4, stdout: "" });
    expect(refused.stderr).toContain("50 batches of this role are open");
    expect(await office.at("musa")`batch submit ${openDesk().write(transfers(2))} ${payouts}`).toMatchObject({
      exit: 0,
    });
    await office.at("amina")`batch withdraw ${"0000000000000001"}`;
    expect(await office.at("amina")`batch submit ${openDesk().write(transfers(3))} ${payouts}`).toMatchObject({
      exit: 0,
    });
  });

  test.for(["amina", "zuri"] as const)(
    "or that is waiting can't be decided by its maker %s: refused without a question",
    async (maker, { simulator }) => {
      const office = await openOffice(server, simulator);
      const batch = await office.submit(maker, 2);
      for (const decision of ["approve", "reject --reason late"]) {
        const own = await office.at(maker, { terminal, answers: [] })`batch ${decision} ${batch} --no-color`;
        expect(own).toMatchObject({ exit: 3, stdout: "" });
        expect(own.stderr).toMatch(
          /^Error: The batch was submitted by \w+, which is this role, .*another person has to/,
        );
      }
      await office.at("baraka")`batch approve ${batch} --yes`;
      const after = await office.at(maker)`batch approve ${batch} --yes`;
      expect(after).toMatchObject({ exit: 0, stderr: expect.stringContaining("It was approved before.") });
    },
  );
});
