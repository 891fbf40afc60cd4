import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Partner } from "../simulated.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, movedEach, openDesk, payouts, timesMoved, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** Hosts that share a database must not create the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };
const order = (reference: string, amount = 5) =>
  `transfer --from 9000112233 --to 9000112244 --amount ${amount} --description rent --reference ${reference} --yes --json`;
const differing = (count: number) => transfers(count, (index) => index + 5);

withPostgres("with a journal shared by several hosts", (server) => {
  beforeAll(() => hire(server));

  /** Two hosts that use different addresses and labels for the service. */
  const hosts = async (partnerIn: (world: object) => Partner, baseUrl: string) => {
    const address = await server.newDatabase();
    const on = (more: object) =>
      partnerIn({
        host: { ids },
        environment: { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_JOURNAL_URL: address, ...more },
      });
    const one = on({});
    expect(await one`journal migrate`).toMatchObject({ exit: 0 });
    const renamed = { PARTNER_ENVIRONMENT: "live", PARTNER_BASE_URL: `${baseUrl.replace("127.0.0.1", "localhost")}/` };
    return { one, other: on(renamed) };
  };

  test("an order is known on every host, under every name of its account", async ({ simulator, partnerIn, faults }) => {
    const { one, other } = await hosts(partnerIn, simulator.baseUrl);
    faults.loseNextAnswer();
    expect(await one`${order("R-1")}`).toMatchObject({ exit: 6 });
    expect(await other`${order("R-1")}`).toMatchObject({ exit: 6 });
    expect((await other`${order("R-1", 6)}`).stderr).toContain("belongs to another transfer");
    expect((await other`${order("R-2")}`).stderr).toContain("has an unknown outcome: R-1");
    expect((await other`${order("r-1", 6)}`).stderr).toContain("only by letter case");
    expect(timesMoved(simulator, "R-1")).toBe(1);
    expect(await other`${order("R-2")} --again`).toMatchObject({ exit: 0 });
    expect([timesMoved(simulator, "R-1"), timesMoved(simulator, "R-2")]).toEqual([1, 1]);
  });

  test("only one of two like orders on two hosts at the same moment is sent", async ({ simulator, partnerIn }) => {
    const { one, other } = await hosts(partnerIn, simulator.baseUrl);
    const runs = await Promise.all([one`${order("R-1")}`, other`${order("R-2")}`]);
    // The second order finds the first in flight, or accepted within the day.
    expect(timesMoved(simulator, "R-1") + timesMoved(simulator, "R-2")).toBe(
      runs.filter(({ exit }) => exit === 0).length,
    );
    expect(runs.map(({ stderr }) => stderr).join("")).toContain("A transfer with the same payer, receiver and amount");
  });

  test("a batch is the same on every host, and rows like those of another batch are faults", async ({
    simulator,
    partnerIn,
  }) => {
    const { one, other } = await hosts(partnerIn, simulator.baseUrl);
    const desk = openDesk();
    const file = desk.write(differing(3));
    const first = await one`batch run ${file} ${payouts} --yes --csv`;
    expect(first.exit).toBe(0);
    const again = await other`batch run ${file} ${payouts} --yes --csv`;
    expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    expect(again.stderr).toContain("\n0 sent now, 3 were sent before.\n");
    const alike = desk.write("reference,amount\nA-1,6\nr-3,99\nA-3,98\n", "alike.csv");
    const stopped = await other`batch check ${alike} ${payouts}`;
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain('line 2, reference: "A-1": a transfer with the same payer, receiver and amount');
    expect(stopped.stderr).toContain('line 3, reference: "r-3" differs only by letter case from "R-3"');
    expect(stopped.stderr).not.toContain("line 4");
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  });

  test("a batch submitted under another label of the account is the same batch, and is sent", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const file = openDesk().write(differing(3));
    expect(await office.at("amina")`profile set office environment=live`).toMatchObject({ exit: 0 });
    const submit = async () => JSON.parse((await office.at("amina")`batch submit ${file} ${payouts} --json`).stdout);
    const { batch } = await submit();
    await office.at("amina")`profile set office environment=simulator`;
    expect(await submit()).toMatchObject({ batch, state: "submitted" });
    await office.at("baraka")`batch approve ${batch} --yes`;
    const ran = await office.at("runner")`batch run --approved --yes --json`;
    expect(ran).toMatchObject({ exit: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject([{ batch, accepted: 3 }]);
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
    expect(column((await office.at("auditor")`batch list --csv`).stdout, "state")).toEqual(["done"]);
    const again = await office.at("runner")`batch run --approved ${batch} --yes --json`;
    expect(again.exit).toBe(0);
    expect(again.stderr).toContain("0 sent now, 3 were sent before.");
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  });

  test("an approved batch is checked for repeats again, without delaying others", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const runner = office.at("runner");
    const first = await office.submit("amina", 2, "reference,amount\nR-1,5\nR-2,6\n");
    const second = await office.submit("amina", 1, "reference,amount\nS-1,8\n");
    for (const batch of [first, second]) await office.at("baraka")`batch approve ${batch} --yes`;
    // One of them is paid by hand in the meantime.
    expect(await runner`${order("HAND", 6)}`).toMatchObject({ exit: 0 });
    const both = await runner`batch run --approved --yes --json`;
    expect(both.exit).toBe(2);
    expect(both.stderr).toContain(`\nBatch ${first} has 1 fault in 1 line; nothing was sent.\n`);
    // A flag for everything approved would also allow the repeats of other batches.
    expect(both.stderr).toContain(
      `Hint: Have it rejected: partner batch reject ${first} --reason TEXT. If rows that look like payments made before are payments of their own: partner batch run --approved ${first} --allow-repeats\n`,
    );
    expect(both.stderr).toContain(
      'line 3, reference: "R-2": a transfer with the same payer, receiver and amount was accepted: HAND',
    );
    expect(both.stderr).not.toContain("No money moved");
    expect([timesMoved(simulator, "R-1"), timesMoved(simulator, "R-2"), timesMoved(simulator, "S-1")]).toEqual([
      0, 0, 1,
    ]);
    const named = await runner`batch run --approved ${first} --yes`;
    expect(named).toMatchObject({ exit: 2, stdout: "" });
    expect(named.stderr).toContain("--allow-repeats");
    const meant = await runner`batch run --approved ${first} --yes --allow-repeats --json`;
    expect(meant.exit).toBe(0);
    expect(JSON.parse(meant.stdout)).toMatchObject([{ batch: first, accepted: 2 }]);
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("batch submit refuses repeats of the maker's own payments without --allow-repeats", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const first = await office.submit("amina", 2, "reference,amount\nR-1,5\nR-2,6\n");
    await office.at("baraka")`batch approve ${first} --yes`;
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const again = openDesk().write("reference,amount\nT-1,5\nr-2,9\n");
    const stopped = await office.at("amina")`batch submit ${again} ${payouts}`;
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    expect(stopped.stderr).toContain("was accepted: R-1");
    expect(stopped.stderr).toContain('"r-2" differs only by letter case from "R-2"');
    expect(await office.at("amina")`batch submit ${again} ${payouts} --allow-repeats`).toMatchObject({ exit: 0 });
  });
});
