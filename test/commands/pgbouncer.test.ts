import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { memoryHost } from "../memory-host.ts";
import type { Pooler } from "../pgbouncer.ts";
import { needsPgbouncer, pooled } from "../pgbouncer.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, movedEach, openDesk, payouts, timesMoved, transfers } from "./batch-service.ts";
import { everybody, hire, openOffice } from "./four-eyes.ts";

const passwords = Object.fromEntries(everybody.map((person) => [person, `pw-${person}`]));
const pay = "transfer --from 9000112233 --to 9000112244 --amount 7 --description rent --reference S-1 --yes";

withPostgres("a shared journal behind pgbouncer", (server) => {
  beforeAll(() => hire(server));

  describe.skipIf(needsPgbouncer !== "")(`that lends a connection for a statement${needsPgbouncer}`, () => {
    test("is named, and nothing is sent", async ({ simulator }) => {
      const pooler = await pooled(server, "statement", passwords);
      onTestFinished(() => pooler.stop());
      const office = await openOffice(server, simulator);
      const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("runner");
      const environment = { PARTNER_JOURNAL_URL: pooler.throughPooler(address) };
      const { exit, stdout, stderr } = await office.at("runner", { environment })`${pay}`;
      expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
      expect(stderr).toContain("its pooler lends a connection for one statement");
      expect(stderr).toContain("pool_mode = transaction");
      expect(timesMoved(simulator, "S-1")).toBe(0);
    });
  });

  for (const mode of ["session", "transaction"] as const)
    describe.skipIf(needsPgbouncer !== "")(`that assigns a connection per ${mode}${needsPgbouncer}`, () => {
      let pooler: Pooler;
      beforeAll(async () => void (pooler = await pooled(server, mode, passwords)));
      afterAll(() => pooler.stop());

      test("sends an order once, and a file's rows once each", async ({ simulator }) => {
        const office = await openOffice(pooler.server, simulator);
        expect(await office.at("runner")`${pay}`).toMatchObject({ exit: 0 });
        expect(await office.at("second")`${pay}`).toMatchObject({ exit: 0 });
        const file = openDesk().write(transfers(12));
        const run = (person: "runner" | "second") =>
          office.at(person)`batch run ${file} ${payouts} --yes --concurrency 8 --allow-repeats`;
        const both = await Promise.all([run("runner"), run("second")]);
        // A row that the other run is sending is unknown to this run.
        for (const { exit } of both) expect([0, 6, 8]).toContain(exit);
        expect((await run("runner")).exit).toBe(0);
        expect(timesMoved(simulator, "S-1")).toBe(1);
        expect(movedEach(simulator, 12)).toEqual(Array.from({ length: 12 }, () => 1));
        expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
      });

      test("enforces four eyes, knows who submits, approves and sends, and sends each approved row once", async ({
        simulator,
      }) => {
        const office = await openOffice(pooler.server, simulator, "--require-approval");
        const batch = await office.submit("zuri", 3);
        expect(await office.at("zuri")`batch approve ${batch} --yes`).toMatchObject({ exit: 3, stdout: "" });
        expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 2 });
        expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
        const runs = await Promise.all(
          (["runner", "second"] as const).map(
            (person) => office.at(person)`batch run --approved --yes --concurrency 3`,
          ),
        );
        expect(runs.map(({ exit }) => exit)).toContain(0);
        expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
        expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
        const shown = await office.at("auditor")`batch show ${batch} --json`;
        expect(JSON.parse(shown.stdout)).toMatchObject({ decisions: [{ by: "baraka" }] });
        const history = await office.at("auditor")`journal export --events --csv --columns step,user,host`;
        const [steps, users, hosts] = ["step", "user", "host"].map((name) => column(history.stdout, name));
        const by = (step: string) => users?.filter((_, index) => steps?.[index] === step);
        expect([by("submit"), by("approve")]).toEqual([["zuri"], ["baraka"]]);
        expect(by("claim")?.filter((user) => user !== "runner" && user !== "second")).toEqual([]);
        expect(by("claim")).toHaveLength(3);
        // Where the machine on which a person typed is known, it is that person's.
        expect(hosts?.filter((host, index) => host !== "" && host !== `${users?.[index]}-machine`)).toEqual([]);
      });

      test("lets --follow send what was approved meanwhile", async ({ simulator }) => {
        const office = await openOffice(pooler.server, simulator, "--require-approval");
        const batch = await office.submit("amina", 2);
        const stopping = memoryHost();
        let looks = 0;
        const meanwhile = async () => {
          looks += 1;
          if (looks === 1) await office.at("baraka")`batch approve ${batch} --yes`;
          if (looks === 3) stopping.abort("SIGTERM");
        };
        const runner = office.at("runner", { meanwhile, host: { signal: stopping.signal } });
        const followed = await runner`batch run --approved --follow --yes --every 1m`;
        expect(followed).toMatchObject({ exit: 0 });
        expect(movedEach(simulator, 2)).toEqual([1, 1]);
        expect(await office.at("amina")`batch wait ${batch}`).toMatchObject({ exit: 0 });
      });

      test("names the role that holds a lock, and sends nothing", async ({ simulator }) => {
        const office = await openOffice(pooler.server, simulator);
        const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("runner");
        const holder = new Client({ connectionString: address });
        await holder.connect();
        onTestFinished(() => holder.end());
        await holder.query("BEGIN; SELECT FROM partner.lock_slots FOR UPDATE");
        const { exit, stdout, stderr } = await office.at("second")`${pay}`;
        expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
        expect(stderr).toContain("is locked by the database role runner");
        await holder.query("ROLLBACK");
        expect(await office.at("second")`${pay}`).toMatchObject({ exit: 0 });
        expect(timesMoved(simulator, "S-1")).toBe(1);
      });
    });
});
