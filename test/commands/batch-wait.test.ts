import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished } from "vitest";
import type { World } from "../memory-host.ts";
import { memoryHost } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk, payouts, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** A clock that stops once this has happened: a command that waits goes on only when the database notifies it. */
const told = (happens: () => Promise<unknown>): World => {
  let hasHappened = false;
  return {
    async meanwhile() {
      if (!hasHappened) {
        hasHappened = true;
        await happens();
      }
      await new Promise(() => undefined);
    },
  };
};

/** A program that keeps its input and its environment. */
const listener = (ending = 0) => {
  const desk = openDesk();
  const program = desk.write(`#!/bin/sh\ncat > "$0.read"\nenv > "$0.env"\necho noise\nexit ${ending}\n`, "tell.sh");
  chmodSync(program, 0o700);
  return { program, read: () => JSON.parse(desk.read("tell.sh.read")), environment: () => desk.read("tell.sh.env") };
};

withPostgres("waiting for a batch", (server) => {
  beforeAll(() => hire(server));

  test("ends when the batch is done, and a following runner learns of the approval without polling", async ({
    simulator,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    const stopping = memoryHost();
    const waiting = told(async () => {
      const approving = told(() => office.at("baraka")`batch approve ${batch} --yes`);
      const runner = office.at("runner", { ...approving, host: { signal: stopping.signal } });
      void runner`batch run --approved --follow --yes --every 9d`.then(({ exit }) => expect(exit).toBe(0));
      await new Promise(() => undefined);
    });
    const waited = await office.at("amina", waiting)`batch wait ${batch} --json`;
    stopping.abort("SIGTERM");
    expect(waited).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(waited.stdout)).toMatchObject({ batch, state: "done", decidedBy: "baraka" });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect(await office.at("amina")`batch wait ${batch}`).toMatchObject({ exit: 0 });
  });

  test("ends with 4 when the batch is rejected or withdrawn, and with 7 when time runs out", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    const late = await office.at("amina")`batch wait ${batch} --for 1m --json`;
    expect(late).toMatchObject({ exit: 7, stdout: expect.stringContaining('"state": "submitted"') });
    expect(late.stderr).toContain(`The time ran out: batch ${batch} is submitted.`);
    const rejecting = told(() => office.at("baraka")`batch reject ${batch} --reason "twice" --yes`);
    const rejected = await office.at("amina", rejecting)`batch wait ${batch} --json`;
    expect(rejected).toMatchObject({ exit: 4, stdout: expect.stringContaining('"reason": "twice"') });
    expect(rejected.stderr).toContain(`Batch ${batch} was rejected by baraka; no more of it is sent.`);
    const again = await office.submit("amina", 2);
    const withdrawing = told(() => office.at("amina")`batch withdraw ${again}`);
    expect(await office.at("baraka", withdrawing)`batch wait ${again} --for 1h`).toMatchObject({
      exit: 4,
      stdout: expect.stringContaining("withdrawn"),
    });
    expect(await office.at("musa")`batch wait ${batch}`).toMatchObject({ exit: 4, stdout: "" });
  });

  test("polls when the database's notification does not arrive", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    await office.root("ALTER TABLE partner.approvals DISABLE TRIGGER approvals_are_told");
    let looks = 0;
    const meanwhile = async () => {
      looks += 1;
      if (looks === 3) await office.at("baraka")`batch reject ${batch} --reason no --yes`;
    };
    expect(await office.at("amina", { meanwhile })`batch wait ${batch}`).toMatchObject({ exit: 4 });
    expect(looks).toBe(3);
  });

  test("goes on when the server ends the connection for notifications", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    const broken = told(async () => {
      await office.at("baraka")`batch reject ${batch} --reason no --yes`;
      await office.root("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    });
    await office.root("ALTER TABLE partner.approvals DISABLE TRIGGER approvals_are_told");
    expect(await office.at("amina", broken)`batch wait ${batch}`).toMatchObject({ exit: 4 });
  });

  test("runs the program of --notify with the batch, and without our secrets", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const [checkers, maker, failing] = [listener(), listener(), listener(3)];
    const submit = office.at("amina", { environment: { PGPASSWORD: "pw-amina" } });
    const file = openDesk().write(transfers(2));
    const { stdout, exit } = await submit`batch submit ${file} ${payouts} --notify ${checkers.program} --json`;
    expect(exit).toBe(0);
    const submitted = JSON.parse(stdout);
    expect(checkers.read()).toEqual(submitted);
    expect(checkers.environment()).not.toMatch(/pw-amina|PARTNER_JOURNAL_URL=/);
    const { batch } = submitted;
    await office.at("baraka")`batch reject ${batch} --reason no --yes`;
    expect(await office.at("amina")`batch wait ${batch} --notify ${maker.program}`).toMatchObject({ exit: 4 });
    expect(maker.read()).toMatchObject({ batch, state: "rejected", reason: "no" });
    const unreadStatement = await office.at("amina")`batch submit ${file} ${payouts} --notify ${failing.program}`;
    expect(unreadStatement).toMatchObject({ exit: 0 });
    expect(unreadStatement.stderr).toContain("it ended with exit code 3");
    expect(failing.read()).toMatchObject({ state: "submitted" });
    const left = join(openDesk().folder, "left");
    onTestFinished(() => void process.kill(Number(readFileSync(left, "utf8"))));
    const leaving = `"sh -c 'sleep 600 2>/dev/null & echo $! >${left}'"`;
    const goneOn = await office.at("amina")`batch submit ${file} ${payouts} --notify ${leaving} --json`;
    expect(goneOn).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("failed") });
    const missing = join(openDesk().folder, "none.sh");
    const absent = await office.at("amina")`batch submit ${file} ${payouts} --notify ${missing}`;
    expect(absent).toMatchObject({ exit: 0, stderr: expect.stringContaining("there is no such program") });
    const wrong = await office.at("amina")`batch submit ${openDesk().write(transfers(3))} ${payouts} --notify '"./x'`;
    expect(wrong).toMatchObject({ exit: 2 });
  });
});
